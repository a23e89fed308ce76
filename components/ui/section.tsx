import { type ComponentProps, type ReactNode, useId } from "react";
import { cn } from "@/lib/utils";

type Props = {
  id?: string | undefined;
  title: string;
  note?: ReactNode;
  action?: ReactNode;
  className?: string;
  children: ReactNode;
};

/** A part of a page under its heading, with a note below it and actions at its right. */
export function Section({ id, title, note, action, className, children }: Props) {
  const headingId = useId();
  return (
    <section id={id} aria-labelledby={headingId} className={cn("flex min-w-0 scroll-mt-16 flex-col gap-3", className)}>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div>
          <h2 id={headingId} className="font-semibold">
            {title}
          </h2>
          {note && <p className="text-muted-foreground">{note}</p>}
        </div>
        {action && <div className="contents print:hidden">{action}</div>}
      </div>
      {children}
    </section>
  );
}

/** What opens on demand, such as how a number is calculated. */
export function Disclosure({ summary, children, ...props }: ComponentProps<"details"> & { summary: string }) {
  return (
    <details {...props} className="text-muted-foreground text-sm">
      <summary className="w-fit cursor-pointer hover:text-foreground pointer-coarse:py-3">{summary}</summary>
      {children}
    </details>
  );
}

/** A part of a page that scrolls, also by keyboard. */
export function ScrollArea(props: ComponentProps<"section">) {
  // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach and scroll it
  return <section tabIndex={0} {...props} />;
}
