import { CircleAlert } from "lucide-react";
import type { ComponentProps } from "react";
import { cn } from "@/lib/utils";

/** An error. Put it into a live region that is in the document before the text is. */
export function Alert({ className, children, ...props }: ComponentProps<"div">) {
  return (
    <div
      data-slot="alert"
      className={cn(
        "flex gap-2 rounded-md border border-destructive/30 bg-destructive-soft px-3 py-2 text-destructive text-sm",
        className,
      )}
      {...props}
    >
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      <div className="min-w-0">{children}</div>
    </div>
  );
}
