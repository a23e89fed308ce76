import type { ReactNode } from "react";
import { cn } from "@/lib/utils";

/** Numbers side by side, four to a row where there is room. */
export function Figures({ children }: { children: ReactNode }) {
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-md border bg-border lg:grid-cols-4">{children}</dl>
  );
}

/** A number under what it is, and over what else there is to say of it; a dash while it is not known. */
export function Figure({
  label,
  note,
  wide = false,
  children,
}: {
  label: string;
  note?: ReactNode;
  /** Takes the place of two. */
  wide?: boolean;
  children: ReactNode;
}) {
  const known = children !== null && children !== undefined && children !== false;
  return (
    <div className={cn("flex flex-col gap-0.5 bg-background px-4 py-3", wide && "col-span-2")}>
      <dt className="text-muted-foreground text-xs">{label}</dt>
      <dd>
        <span className={known ? "font-semibold text-xl" : "text-muted-foreground text-xl"}>
          {known ? children : "–"}
        </span>
        {note && <span className="block text-muted-foreground text-sm">{note}</span>}
      </dd>
    </div>
  );
}
