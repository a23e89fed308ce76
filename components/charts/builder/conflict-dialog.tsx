import { useFormat } from "@/components/shell/format-provider";
import { Button } from "@/components/ui/button";
import { Dialog, DialogBody, DialogFooter } from "@/components/ui/dialog";
import type { ChartDefinition } from "@/lib/charts/definition/definition";
import type { StoredChart } from "@/lib/charts/definition/stored-chart";
import { kindLabels } from "@/lib/charts/definition/words";

type Props = {
  mine: ChartDefinition;
  theirs: StoredChart;
  onClose: () => void;
  onCopy: () => void;
  onOverwrite: () => void;
};

/** Asks which chart to keep when someone else has changed the stored one. */
export function ConflictDialog({ mine, theirs, onClose, onCopy, onOverwrite }: Props) {
  const format = useFormat();
  const differ = (["source", "groupBy", "metrics", "filters", "display"] as const).filter(
    (part) => canonical(mine[part] ?? null) !== canonical(theirs[part]),
  );
  const parts = [
    ...(mine.name === theirs.name ? [] : [`name (theirs: “${theirs.name}”)`]),
    ...(mine.kind === theirs.kind ? [] : [`chart type (theirs: ${kindLabels[theirs.kind].toLowerCase()})`]),
    ...differ.map((part) => partLabels[part]),
  ];
  const when = theirs.updatedAt && format.dateTime(theirs.updatedAt);
  return (
    <Dialog title="Someone else changed this chart" onClose={onClose}>
      <DialogBody>
        <p>
          {when && `Their version was saved ${when}. `}
          {parts.length > 0 ? `Yours differs in its ${format.list(parts)}.` : "Yours is the same."}
        </p>
        <p>To keep both, save yours as a copy.</p>
      </DialogBody>
      <DialogFooter>
        <Button variant="outline" data-first onClick={onClose}>
          Keep editing
        </Button>
        <Button variant="danger" onClick={onOverwrite}>
          Replace theirs
        </Button>
        <Button onClick={onCopy}>Save as a copy</Button>
      </DialogFooter>
    </Dialog>
  );
}

const partLabels = {
  source: "source",
  groupBy: "groups",
  metrics: "measures",
  filters: "filters",
  display: "calculations, order, goal, decimals, or axis",
};

// The same for objects with the same keys in any order.
const canonical = (value: unknown) =>
  JSON.stringify(value, (_key, part) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
