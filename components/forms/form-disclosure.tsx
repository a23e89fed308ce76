"use client";

import { type ReactNode, useState } from "react";
import { buttonVariants } from "@/components/ui/button";

/** A button that shows a form and moves focus into it. Hiding it discards what was typed. `subject` says what is canceled. */
export function FormDisclosure({
  button,
  subject,
  startsOpen = false,
  className,
  children,
}: {
  button: string;
  subject: string;
  startsOpen?: boolean;
  className?: string;
  children: ReactNode;
}) {
  const [timesHidden, setTimesHidden] = useState(0);
  return (
    <details
      open={startsOpen}
      className={`group ${className ?? ""}`}
      onToggle={({ currentTarget: details }) => {
        if (!details.open) return setTimesHidden((times) => times + 1);
        details.querySelector<HTMLElement>("input:not([type=hidden], [hidden])")?.focus();
      }}
    >
      <summary
        className={buttonVariants({ variant: "outline", className: "list-none [&::-webkit-details-marker]:hidden" })}
      >
        <span>
          <span className="group-open:hidden">{button}</span>
          <span className="hidden group-open:inline">
            <span className="group-has-[[role=status]:not(:empty)]:hidden">Cancel</span>
            <span className="hidden group-has-[[role=status]:not(:empty)]:inline">Close</span>
            <span className="sr-only"> {subject}</span>
          </span>
        </span>
      </summary>
      <div key={timesHidden} className="pt-4">
        {children}
      </div>
    </details>
  );
}
