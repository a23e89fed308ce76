import { cva, type VariantProps } from "class-variance-authority";
import type { LucideIcon } from "lucide-react";
import type { ComponentProps } from "react";
import { cn } from "@/lib/utils";

/** Classes of a button, for links that look like one. */
export const buttonVariants = cva(
  "inline-flex shrink-0 cursor-pointer select-none items-center justify-center gap-2 whitespace-nowrap rounded-md font-medium text-sm transition-colors duration-100 aria-disabled:cursor-default aria-disabled:opacity-60 pointer-coarse:text-base [&_svg]:size-4 [&_svg]:shrink-0",
  {
    variants: {
      variant: {
        default: "bg-primary text-primary-foreground hover:bg-primary-hover aria-disabled:hover:bg-primary",
        outline: "border border-input bg-background hover:bg-muted aria-disabled:hover:bg-background",
        ghost: "hover:bg-muted",
        danger:
          "border border-destructive bg-background text-destructive hover:bg-destructive-soft aria-disabled:hover:bg-background",
      },
      size: {
        default: "h-8 px-3 pointer-coarse:h-11 pointer-coarse:px-4",
        icon: "size-8 pointer-coarse:size-11",
      },
    },
    defaultVariants: { variant: "default", size: "default" },
  },
);

/**
 * A button. Its text names the act. The `default` variant is for the one main action of a screen, `danger` for what removes
 * something or takes access from someone, even if it can be undone.
 */
export function Button({
  className,
  variant,
  size,
  type = "button",
  ...props
}: ComponentProps<"button"> & VariantProps<typeof buttonVariants>) {
  return (
    <button data-slot="button" type={type} className={cn(buttonVariants({ variant, size }), className)} {...props} />
  );
}

type IconButtonProps = Omit<ComponentProps<typeof Button>, "aria-label" | "size" | "children"> & {
  label: string;
  icon: LucideIcon;
};

/** A button that is an icon. */
export function IconButton({ label, icon: Icon, variant = "ghost", ...props }: IconButtonProps) {
  return (
    <Button variant={variant} size="icon" aria-label={label} {...props}>
      <Icon aria-hidden />
    </Button>
  );
}
