import { Ellipsis } from "lucide-react";
import type { RefObject } from "react";
import type { CardEditing } from "@/components/charts/dashboard/card-editing";
import { saveFile } from "@/components/charts/dashboard/save-file";
import { useFormat } from "@/components/shell/format-provider";
import { buttonVariants } from "@/components/ui/button";
import { Menu } from "@/components/ui/menu";
import type { MenuEntry } from "@/components/ui/popup/menu-popup";
import type { ChartResult } from "@/lib/charts/definition/result";
import type { ChartColumn } from "@/lib/charts/definition/source";
import type { DashboardChart } from "@/lib/charts/definition/stored-chart";
import { dayIn } from "@/lib/format/days";
import { cn } from "@/lib/utils";

type Props = {
  chart: DashboardChart;
  result: ChartResult | null;
  columns: ChartColumn[];
  /** For the image: the filter, and which days its relative filters mean. */
  notes: string[];
  isDrawn: boolean;
  card: RefObject<HTMLElement | null>;
  editing: CardEditing | undefined;
};

/** What can be done with a chart: saving its numbers and image, and for people with `charts.edit` changing it. */
export function CardMenu({ chart, result, columns, notes, isDrawn, card, editing }: Props) {
  const format = useFormat();

  const saveCsv = async () => {
    if (!result) return;
    const { chartCsv } = await import("@/lib/charts/display/csv");
    const text = chartCsv({ display: chart.display, types: columns, data: result });
    saveFile(`${chart.name} ${dayIn(format.timeZone, result.generatedAt)}.csv`, new Blob([text], { type: "text/csv" }));
  };
  const savePng = async () => {
    if (!result || !card.current) return;
    const { chartPng } = await import("@/components/charts/drawing/chart-png");
    const read = `${format.count(result.recordCount, "record")}, ${format.dateTime(result.generatedAt)}`;
    const image = await chartPng(card.current, chart.name, [...notes, read]);
    if (image) saveFile(`${chart.name}.png`, image);
  };

  const edit: MenuEntry[] = editing
    ? [
        { label: "Edit", href: editing.editHref },
        { label: "Duplicate", onPick: editing.onDuplicate },
        { label: "Move earlier", disabled: editing.isFirst, onPick: () => editing.onMove(-1) },
        { label: "Move later", disabled: editing.isLast, onPick: () => editing.onMove(1) },
      ]
    : [];
  const save: MenuEntry[] = [
    { label: "Save as CSV", disabled: !result || chart.problem !== null, onPick: () => void saveCsv() },
    ...(isDrawn ? [{ label: "Save as image (PNG)", disabled: !result, onPick: () => void savePng() }] : []),
  ];
  const remove: MenuEntry[] = editing ? [{ label: "Delete", danger: true, onPick: editing.onDelete }] : [];
  return (
    <Menu
      aria-label={`More actions for ${chart.name}`}
      title="More actions"
      align="end"
      className={cn(buttonVariants({ variant: "ghost", size: "icon" }), "print:hidden")}
      entries={[...edit, ...save, ...remove]}
    >
      <Ellipsis aria-hidden />
    </Menu>
  );
}
