import { ChevronDown, Link2, X } from "lucide-react";
import { useRouter } from "next/navigation";
import {
  type ComponentProps,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useId,
  useOptimistic,
  useRef,
  useState,
  useTransition,
} from "react";
import { useCopy } from "@/components/shell/use-copy";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Labeled } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Menu } from "@/components/ui/menu";
import { Choice, type Options } from "@/components/ui/select";
import { hasFilter } from "@/lib/charts/definition/dashboard";
import type { DashboardFilter } from "@/lib/charts/definition/dashboard-filter";
import { periods } from "@/lib/charts/definition/period";
import type { FilterChoices } from "@/lib/charts/store/dashboard";
import { capitalized } from "@/lib/format/text";

const between = "between";
const retryDelayMs = 3_000;
const maxChoices = 500; // of a list: `read_dashboard` cuts it there
const offeredDays = [...periods, "last 7 days", "last 30 days"];

type FilterChange = { [Field in keyof DashboardFilter]: DashboardFilter[Field] | undefined };

type Props = {
  hrefOf: (filter: FilterChange) => string;
  filter: DashboardFilter;
  choices: FilterChoices;
  /** Asks whether Signet can be reached: without it, changing the address would leave the page. */
  canReachSignet: () => Promise<boolean>;
  /** Whether another dashboard is being opened. */
  isLeaving: () => boolean;
  /** What the filter leaves out of all charts. */
  note: string | null;
  /** Why the page isn't updating; left out if the filter says the same. */
  notUpdating: ReactNode;
  children: (pending: boolean) => ReactNode;
};

/**
 * The filter of all charts on a dashboard. It is part of the address, so that it can be shared and Back undoes it. `children`
 * gets whether the charts of a new filter are still loading.
 */
export function FilterBar({
  hrefOf,
  filter: urlFilter,
  choices,
  canReachSignet,
  isLeaving,
  note,
  notUpdating,
  children,
}: Props) {
  const router = useRouter();
  const [pending, startTransition] = useTransition();
  // `requested` shows a choice before the address has it. `unsentFilter` is one for which Signet was unreachable.
  // `applied` is the newest, so that older requests stop.
  const [requested, setRequested] = useOptimistic<FilterChange>(urlFilter);
  const [unsentFilter, setUnsentFilter] = useState<FilterChange | null>(null);
  const filter = (!pending && unsentFilter) || requested;
  const isApplying = pending && unsentFilter === null;
  const applied = useRef<FilterChange>(urlFilter);
  const { copied, copy } = useCopy(typeof location === "undefined" ? "" : location.origin + hrefOf(filter));
  const backwardsId = useId();
  const isBackwards = filter.from !== undefined && filter.to !== undefined && filter.from > filter.to;
  const hasRange = filter.from !== undefined || filter.to !== undefined;
  const [isChoosingRange, setIsChoosingRange] = useState(hasRange);
  const showsRange = hasRange || (isChoosingRange && filter.days === undefined);

  const apply = (next: FilterChange) =>
    startTransition(async () => {
      setRequested(next);
      applied.current = next;
      const canLoad = await canReachSignet();
      if (applied.current !== next || isLeaving()) return; // it was changed again
      startTransition(() => {
        setUnsentFilter(canLoad ? null : next);
        if (canLoad) router.push(hrefOf(next), { scroll: false });
      });
    });
  const retry = useEffectEvent(apply);
  useEffect(() => {
    if (unsentFilter === null || pending) return;
    const timer = setTimeout(() => retry(unsentFilter), retryDelayMs);
    return () => clearTimeout(timer);
  }, [unsentFilter, pending]);
  const update = (change: FilterChange) => apply({ ...filter, ...change });
  const chooseDays = (chosen: string | undefined) => {
    setIsChoosingRange(chosen === between);
    if (chosen !== between) update({ days: chosen, from: undefined, to: undefined });
    else if (filter.days !== undefined) update({ days: undefined });
  };
  // A half-typed year is a very early one, such as 0020.
  const chooseEnd = (end: "from" | "to", day: string) => {
    if (day === "" || day >= "2000") update({ [end]: day || undefined });
  };
  const clear = () => {
    setIsChoosingRange(false);
    apply({});
  };
  const selects: { field: "county" | "clerk" | "circulator"; label: string; all: string; known: Options<string> }[] = [
    { field: "county", label: "County", all: "All counties", known: [...named(choices.counties), ["", "No county"]] },
    { field: "clerk", label: "Clerk", all: "All clerks", known: choices.clerks.map(({ id, name }) => [id, name]) },
    { field: "circulator", label: "Circulator", all: "All circulators", known: named(choices.circulators) },
  ];
  const unknown = selects.flatMap(({ field, known }) =>
    (filter[field] ?? []).flatMap((value) => (known.some(([id]) => id === value) ? [] : [{ field, known, value }])),
  );
  const absent = unknown.filter(({ known }) => known.length < maxChoices);

  return (
    <>
      <section
        aria-label="Filter all charts"
        className="grid grid-cols-2 items-end gap-x-3 gap-y-2 sm:flex sm:flex-wrap print:hidden"
      >
        <Labeled label="Date entered" className="sm:w-40">
          <Choice
            value={showsRange ? between : filter.days}
            options={[
              [undefined, "Any day"],
              ...[...new Set([...offeredDays, ...(filter.days ? [filter.days] : [])])].map(
                (days) => [days, capitalized(days)] as const,
              ),
              [between, "Custom range"],
            ]}
            onChoose={chooseDays}
          />
        </Labeled>
        {showsRange && (
          <div className="col-span-2 flex items-end gap-3">
            <DayField label="First day" value={filter.from} onDay={(day) => chooseEnd("from", day)} />
            <DayField
              label="Last day"
              value={filter.to}
              onDay={(day) => chooseEnd("to", day)}
              aria-invalid={isBackwards}
              aria-describedby={backwardsId}
            />
          </div>
        )}
        {selects.map(({ field, label, all, known }) => {
          const chosen = filter[field] ?? [];
          const unnamed = unknown.flatMap(({ field: otherField, value }) =>
            otherField === field ? [[value, field === "clerk" ? "Unknown clerk" : value] as const] : [],
          );
          const options = [...unnamed, ...known];
          const names = options.flatMap(([value, name]) => (chosen.includes(value) ? name : [])).join(", ") || all;
          const toggle = (value: string) => {
            const next = chosen.includes(value) ? chosen.filter((other) => other !== value) : [...chosen, value];
            update({ [field]: next.length > 0 ? next : undefined });
          };
          return (
            <Labeled key={field} label={label} className="sm:w-40">
              <Menu
                aria-label={`${label}: ${names}`}
                className="flex h-8 items-center gap-1 rounded-md border border-input bg-background pr-1 pl-2.5 pointer-coarse:h-11 pointer-coarse:text-lg"
                entries={[
                  { label: all, onPick: () => update({ [field]: undefined }) },
                  ...options.map(([value, name]) => ({
                    label: name,
                    checked: chosen.includes(value),
                    onPick: () => toggle(value),
                  })),
                ]}
              >
                <span className="min-w-0 flex-1 truncate text-left">{names}</span>
                <ChevronDown aria-hidden className="size-4" />
              </Menu>
            </Labeled>
          );
        })}
        {hasFilter(filter) && (
          <div className="flex gap-1">
            <Button variant="ghost" onClick={clear}>
              <X aria-hidden />
              Clear
            </Button>
            <Button variant="ghost" title="Copy a link to this dashboard with its filter" onClick={() => void copy()}>
              <Link2 aria-hidden />
              {copied === null ? "Copy link" : copied ? "Copied" : "Copy it from the address bar"}
            </Button>
          </div>
        )}
      </section>
      <p id={backwardsId} role="status" className="-mt-2 text-destructive text-xs empty:hidden">
        {isBackwards && "The last day is before the first day. Change one of them."}
      </p>
      {note && <p className="-mt-2 text-muted-foreground text-xs">{note}</p>}
      {!unsentFilter && notUpdating}
      <div role="alert" className="empty:hidden">
        {unsentFilter && (
          <Alert>
            Couldn't reach Signet, so the charts still use the previous filter. The new one applies once you're online
            again.
          </Alert>
        )}
      </div>
      {absent.length > 0 && (
        <Alert>
          No line has{" "}
          {absent
            .map(({ field, value }) => (field === "clerk" ? "the clerk in this link" : `the ${field} “${value}”`))
            .join(" or ")}
          . Choose from the list, or clear the filter.
        </Alert>
      )}
      <div>
        {/* Above the charts, so that nothing moves. */}
        <p role="status" className="sticky top-16 z-5 flex h-0 justify-center print:hidden">
          {isApplying && (
            <span className="mt-2 h-fit rounded-md border bg-popover px-3 py-1.5 text-sm shadow-popover">
              Applying the filter… These are the previous numbers.
            </span>
          )}
        </p>
        {children(isApplying)}
      </div>
    </>
  );
}

const named = (names: string[]) => names.map((name) => [name, name] as const);

type DayProps = Pick<ComponentProps<"input">, "aria-invalid" | "aria-describedby"> & {
  label: string;
  value: string | undefined;
  onDay: (day: string) => void;
};

// Shows what is typed until the address has another day, because a half-typed day isn't valid yet.
function DayField({ label, value = "", onDay, ...described }: DayProps) {
  const [typed, setTyped] = useState({ value, day: value });
  if (typed.value !== value) setTyped({ value, day: value });
  return (
    <Labeled label={label} className="flex-1">
      <Input
        type="date"
        {...described}
        value={typed.day}
        onChange={({ target }) => {
          setTyped({ value, day: target.value });
          onDay(target.value);
        }}
      />
    </Labeled>
  );
}
