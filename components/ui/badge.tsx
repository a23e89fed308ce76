import { cva, type VariantProps } from "class-variance-authority";
import type { ComponentProps } from "react";
import { cn } from "@/lib/utils";

const badgeVariants = cva(
  "inline-flex h-5 w-fit shrink-0 items-center gap-1.5 whitespace-nowrap rounded-md border px-1.5 font-medium text-xs before:size-1.5 before:rounded-full",
  {
    variants: {
      tone: {
        neutral: "text-muted-foreground before:bg-muted-foreground",
        warning: "text-warning before:bg-warning-mark",
        success: "text-success before:bg-success-mark",
        danger: "text-destructive before:bg-destructive",
      },
    },
    defaultVariants: { tone: "neutral" },
  },
);

type Props = ComponentProps<"span"> & VariantProps<typeof badgeVariants>;

/** A state in one word, with a colored mark. */
export function Badge({ className, tone, children, ...props }: Props) {
  return (
    <span data-slot="badge" className={cn(badgeVariants({ tone }), className)} {...props}>
      <span className="first-letter:uppercase">{children}</span>
    </span>
  );
}
