import { GripVertical } from "lucide-react";
import type { DragEvent, KeyboardEvent, ReactNode, RefObject } from "react";
import { Link } from "@/components/ui/link";
import type { DashboardChart } from "@/lib/charts/definition/stored-chart";

/** What people with `charts.edit` can do with a chart on a dashboard. */
export type CardEditing = {
  editHref: string;
  /** Null while the dashboard is filtered, as its numbers are current. */
  onGenerate: (() => void) | null;
  onDuplicate: () => void;
  onDelete: () => void;
  /** Moves it by this many places. */
  onMove: (by: 1 | -1) => void;
  isFirst: boolean;
  isLast: boolean;
  onDrag: (isDragged: boolean) => void;
};

/** Leads to the builder, which says what is wrong with a chart. */
export function EditLink({ editing, children }: { editing: CardEditing; children: ReactNode }) {
  return (
    <Link href={editing.editHref} className="underline underline-offset-4">
      {children}
    </Link>
  );
}

type MoveProps = { chart: DashboardChart; editing: CardEditing; card: RefObject<HTMLElement | null> };

/** Moves a card by dragging or with the arrow keys. */
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
    editing.onMove(by);
  };
  return (
    <button
      type="button"
      draggable
      data-handle={chart.id}
      aria-label={`Move ${chart.name} with the arrow keys`}
      title="Drag, or use the arrow keys"
      onDragStart={onDragStart}
      onDragEnd={() => editing.onDrag(false)}
      onKeyDown={onKeyDown}
      className="-ml-2.5 flex h-8 w-5 shrink-0 cursor-grab print:hidden items-center justify-center rounded-md text-muted-foreground hover:bg-muted pointer-coarse:hidden"
    >
      <GripVertical aria-hidden className="size-4" />
    </button>
  );
}
