import type { VariantProps } from "class-variance-authority";
import NextLink from "next/link";
import type { ComponentProps } from "react";
import { buttonVariants } from "@/components/ui/button";
import { cn } from "@/lib/utils";

type LinkProps = ComponentProps<typeof NextLink>;

/** A link to a page, which isn't loaded before someone follows it. */
export function Link(props: LinkProps) {
  return <NextLink prefetch={false} {...props} />;
}

/** A link in a text, underlined. */
export function TextLink({ className, ...props }: LinkProps) {
  return <Link className={cn("text-primary underline underline-offset-2", className)} {...props} />;
}

/** A link that looks like a button. */
export function ButtonLink({ variant, size, className, ...props }: LinkProps & VariantProps<typeof buttonVariants>) {
  return <Link className={cn(buttonVariants({ variant, size }), className)} {...props} />;
}
