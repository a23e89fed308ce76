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

type SortHeadProps = ComponentProps<typeof TableHead> & {
  sorted: "ascending" | "descending" | undefined;
  onSort: () => void;
};

/** A header whose click sorts the table by its column; an arrow shows how it is sorted. */
export function SortHead({ sorted, onSort, children, ...props }: SortHeadProps) {
  return (
    <TableHead aria-sort={sorted} {...props}>
      <button
        type="button"
        className="-mx-1 inline-flex min-h-6 cursor-pointer items-center gap-1 rounded-md px-1 text-inherit hover:text-foreground pointer-coarse:min-h-11 print:contents"
        onClick={onSort}
      >
        {children}
        {sorted && <span aria-hidden>{sorted === "descending" ? "↓" : "↑"}</span>}
      </button>
    </TableHead>
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
