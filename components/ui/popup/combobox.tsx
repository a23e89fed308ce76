import { Autocomplete as Base } from "@base-ui/react/autocomplete";
import type { ComponentProps, ReactNode } from "react";
import { Link } from "@/components/ui/link";
import { cn } from "@/lib/utils";

type Props<Option> = { query: string; onQuery: (query: string) => void; options: Option[]; children: ReactNode };

/**
 * A field over a list that it filters, in a dialog or popover: arrows mark an option, Enter opens it. It is 42 KB: use it in a
 * component that `lazyLoad` loads. The caller filters: `options` are those that match `query`.
 */
export function Combobox<Option extends { label: string }>({ query, onQuery, options, children }: Props<Option>) {
  return (
    <Base.Root
      inline
      open
      mode="none"
      filter={null}
      autoHighlight="always"
      keepHighlight
      items={options}
      itemToStringValue={({ label }: Option) => label}
      value={query}
      onValueChange={(text, { reason }) => {
        if (reason !== "item-press") onQuery(text);
      }}
    >
      {children}
    </Base.Root>
  );
}

export function ComboboxInput(props: ComponentProps<typeof Base.Input>) {
  return <Base.Input autoComplete="off" spellCheck={false} {...props} />;
}

type ListProps<Option> = { label: string; children: (option: Option, index: number) => ReactNode };

/** The list; `children` draws an option. */
export function ComboboxList<Option>({ label, children }: ListProps<Option>) {
  return (
    <Base.List aria-label={label} className="overflow-y-auto p-1 data-empty:hidden">
      {children}
    </Base.List>
  );
}

type LinkProps = Omit<ComponentProps<typeof Link>, "href"> & {
  option: { id: string; label: string; href: string };
  className?: string;
};

/** An option that leads to a page, in a new tab too. */
export function ComboboxLink({ option, className, ...props }: LinkProps) {
  return (
    <Base.Item
      value={option}
      render={<Link href={option.href} title={option.label} {...props} />}
      className={cn(
        "flex h-8 items-center gap-2 rounded-md px-2 outline-none data-highlighted:bg-muted pointer-coarse:h-11",
        className,
      )}
    />
  );
}
