import { Ellipsis, GripVertical } from "lucide-react";
import type { DragEvent, KeyboardEvent, ReactNode, RefObject } from "react";
import { fileName, saveFile } from "@/components/charts/dashboard/save-file";
import { useFormat } from "@/components/shell/format-provider";
import { buttonVariants } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { Menu } from "@/components/ui/menu";
import type { MenuEntry } from "@/components/ui/popup/menu-popup";
import type { ChartResult } from "@/lib/charts/definition/result";
import type { ChartColumn } from "@/lib/charts/definition/source";
import type { DashboardChart } from "@/lib/charts/definition/stored-chart";
import { recordNoun } from "@/lib/charts/definition/words";
import { dayIn } from "@/lib/format/days";
import { cn } from "@/lib/utils";

/** What people with `charts.edit` can do with a chart. */
export type CardEditing = {
  editHref: string;
  /** Edits a text in a dialog instead. */
  onEdit: (() => void) | null;
  /** Null while the dashboard is filtered: its numbers are then current. */
  onGenerate: (() => void) | null;
  onDuplicate: () => void;
  onDelete: () => void;
  /** Asks for another dashboard; null without one. */
  onMoveAway: (() => void) | null;
  /** Moves it by this many places. */
  onMove: (by: 1 | -1) => void;
  /** Makes it this wide, in thirds of the dashboard. */
  onResize: (width: number) => void;
  isFirst: boolean;
  isLast: boolean;
  onDrag: (isDragged: boolean) => void;
};

/** A link to the builder, which shows what is wrong with a chart. */
export function EditLink({ editing, children }: { editing: CardEditing; children: ReactNode }) {
  return (
    <Link href={editing.editHref} className="underline underline-offset-4">
      {children}
    </Link>
  );
}

type MoveProps = { chart: DashboardChart; editing: CardEditing; card: RefObject<HTMLElement | null> };

/** The handle that moves a card, by dragging or with the arrow keys; with Shift they change its width. */
export function MoveHandle({ chart, editing, card }: MoveProps) {
  const onDragStart = (event: DragEvent) => {
    event.dataTransfer.effectAllowed = "move";
    if (card.current) event.dataTransfer.setDragImage(card.current, 24, 24);
    editing.onDrag(true);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
    if (by !== 1 && by !== -1) return;
    event.preventDefault();
    if (event.shiftKey) editing.onResize(chart.width + by);
    else editing.onMove(by);
  };
  return (
    <button
      type="button"
      draggable
      data-handle={chart.id}
      aria-label={`Move ${chart.name} with the arrow keys`}
      title="Drag, or use the arrow keys. Hold Shift to change the width"
      onDragStart={onDragStart}
      onDragEnd={() => editing.onDrag(false)}
      onKeyDown={onKeyDown}
      className="-ml-2.5 flex h-8 w-5 shrink-0 cursor-grab print:hidden items-center justify-center rounded-md text-muted-foreground hover:bg-muted pointer-coarse:hidden"
    >
      <GripVertical aria-hidden className="size-4" />
    </button>
  );
}

type MenuProps = {
  chart: DashboardChart;
  result?: ChartResult | null;
  columns?: ChartColumn[];
  /** The dashboard's filter, if it applies to the chart. */
  filterText?: string | null;
  /** What the numbers leave out, as notes of the image. */
  notes?: string[];
  card: RefObject<HTMLElement | null>;
  editing: CardEditing | undefined;
};

/** The menu of a card: save a chart as a file, and for people with `charts.edit` change it. */
export function CardMenu({ chart, card, editing, ...drawn }: MenuProps) {
  const { result = null, columns = [], filterText = null, notes = [] } = drawn;
  const format = useFormat();
  const ofDay = result ? ` ${dayIn(format.timeZone, result.generatedAt)}` : "";
  const name = `${fileName(chart.name, filterText)}${ofDay}`;

  const saveCsv = async () => {
    if (!result) return;
    const { chartCsv } = await import("@/lib/charts/display/csv");
    const text = chartCsv({ ...chart, filters: [...chart.filters, ...chart.narrowed], columns, data: result, format });
    saveFile(`${name}.csv`, new Blob([text], { type: "text/csv" }));
  };
  const savePng = async () => {
    if (!result || !card.current) return;
    const { chartPng } = await import("@/components/charts/drawing/chart-png");
    const read = `${format.count(result.recordCount, recordNoun(result.source))}, ${format.dateTime(result.generatedAt)}`;
    const image = await chartPng(card.current, chart.name, [...(filterText ? [filterText] : []), ...notes, read]);
    if (image) saveFile(`${name}.png`, image);
  };

  const edit: MenuEntry[] = editing
    ? [
        { label: "Edit", ...(editing.onEdit ? { onPick: editing.onEdit } : { href: editing.editHref }) },
        { label: "Make a copy", onPick: editing.onDuplicate },
        { label: "Move earlier", disabled: editing.isFirst, onPick: () => editing.onMove(-1) },
        { label: "Move later", disabled: editing.isLast, onPick: () => editing.onMove(1) },
        ...(editing.onMoveAway ? [{ label: "Move to dashboard…", onPick: editing.onMoveAway }] : []),
        { label: "Make wider", disabled: chart.width >= 3, onPick: () => editing.onResize(chart.width + 1) },
        { label: "Make narrower", disabled: chart.width <= 1, onPick: () => editing.onResize(chart.width - 1) },
      ]
    : [];
  const save: MenuEntry[] = [
    { label: "Download CSV", disabled: !result || chart.problem !== null, onPick: () => void saveCsv() },
    { label: "Download image (PNG)", disabled: !result?.rows.length, onPick: () => void savePng() },
  ];
  const remove: MenuEntry[] = editing ? [{ label: "Delete", danger: true, onPick: editing.onDelete }] : [];
  const entries = [...edit, ...(chart.text === null ? save : []), ...remove];
  if (entries.length === 0) return null;
  return (
    <Menu
      aria-label={`More actions for ${chart.name}`}
      title="More actions"
      align="end"
      className={cn(buttonVariants({ variant: "ghost", size: "icon" }), "print:hidden")}
      entries={entries}
    >
      <Ellipsis aria-hidden />
    </Menu>
  );
}
