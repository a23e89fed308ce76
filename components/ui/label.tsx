import type { ComponentProps } from "react";
import { cn } from "@/lib/utils";

/** The label of a field. */
export function Label({ className, htmlFor, ...props }: ComponentProps<"label"> & { htmlFor: string }) {
  // biome-ignore lint/a11y/noLabelWithoutControl: its text comes with the children
  return <label data-slot="label" htmlFor={htmlFor} className={cn("font-medium text-sm", className)} {...props} />;
}
