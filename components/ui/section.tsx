import { type ReactNode, useId } from "react";
import { cn } from "@/lib/utils";

type Props = { title: string; note?: string; action?: ReactNode; className?: string; children: ReactNode };

/** A part of a page under its heading, with a note below it and actions at its right. */
export function Section({ title, note, action, className, children }: Props) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={cn("flex min-w-0 flex-col gap-3", className)}>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div>
          <h2 id={id} className="font-semibold">
            {title}
          </h2>
          {note && <p className="text-muted-foreground">{note}</p>}
        </div>
        {action}
      </div>
      {children}
    </section>
  );
}
