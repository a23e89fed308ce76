import { Plus } from "lucide-react";
import { Button } from "@/components/ui/button";
import type { SuggestedChart } from "@/lib/charts/builder/suggest";

type Props = {
  isEmpty: boolean;
  suggestions: SuggestedChart[] | null;
  pending: boolean;
  onAdd: (name: string) => void;
};

/** Charts to start a dashboard with; `suggestions` is null for people who can't edit charts. */
export function SuggestedCharts({ isEmpty, suggestions, pending, onAdd }: Props) {
  return (
    <div className="flex max-w-2xl flex-col gap-4 py-4">
      <div className="flex flex-col gap-2">
        <h2 className="font-semibold text-lg">
          {suggestions === null ? "No charts yet" : isEmpty ? "Add your first chart" : "Suggested charts"}
        </h2>
        <p className="text-muted-foreground">
          {suggestions === null
            ? "Ask someone who can edit charts to add the first one."
            : "Add one with a click and edit it later, or build your own with “New chart.”"}
        </p>
      </div>
      {suggestions && (
        <ul className="divide-y rounded-md border">
          {suggestions.map(({ reason, definition: { name } }) => (
            <li key={name} className="flex items-center gap-4 py-2 pr-2 pl-4">
              <div className="min-w-0 flex-1">
                <p className="font-medium">{name}</p>
                <p className="text-muted-foreground text-sm">{reason}</p>
              </div>
              <Button
                variant="outline"
                aria-label={`Add ${name}`}
                aria-disabled={pending}
                onClick={() => pending || onAdd(name)}
              >
                <Plus aria-hidden />
                Add
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
