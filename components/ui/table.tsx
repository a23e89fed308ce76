import type { ComponentProps } from "react";
import { cn } from "@/lib/utils";

/** A table with rows of 36 px, 44 px on touch. */
export function Table({ className, ...props }: ComponentProps<"table">) {
  return <table data-slot="table" className={cn("w-full border-collapse text-left text-base", className)} {...props} />;
}

export function TableHead({ className, ...props }: ComponentProps<"th">) {
  return (
    <th
      data-slot="table-head"
      scope="col"
      className={cn(
        "h-8 whitespace-nowrap border-b px-3 font-medium text-muted-foreground text-xs first:pl-4 last:pr-4",
        className,
      )}
      {...props}
    />
  );
}

export function TableRow({ className, ...props }: ComponentProps<"tr">) {
  return (
    <tr
      data-slot="table-row"
      className={cn("h-9 border-b last:border-b-0 hover:bg-muted/60 pointer-coarse:h-11", className)}
      {...props}
    />
  );
}

export function TableCell({ className, ...props }: ComponentProps<"td">) {
  return <td data-slot="table-cell" className={cn("px-3 py-1.5 first:pl-4 last:pr-4", className)} {...props} />;
}
