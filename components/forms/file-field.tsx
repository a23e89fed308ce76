"use client";

import { useState } from "react";
import { buttonVariants } from "@/components/ui/button";

/** A button that opens a file, next to the name of the opened one. */
export function FileField({ label, accept, onOpen }: { label: string; accept: string; onOpen: (file: File) => void }) {
  const [name, setName] = useState("");
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <label
        className={buttonVariants({
          variant: "outline",
          className: "has-focus-visible:outline-2 has-focus-visible:outline-primary has-focus-visible:outline-offset-2",
        })}
      >
        {label}
        <input
          type="file"
          accept={accept}
          className="sr-only"
          onChange={(event) => {
            const file = event.target.files?.[0];
            if (!file) return;
            setName(file.name);
            onOpen(file);
          }}
        />
      </label>
      <span className="wrap-anywhere min-w-0 text-muted-foreground text-sm empty:hidden">{name}</span>
    </div>
  );
}
