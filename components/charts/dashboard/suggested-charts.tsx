import { Plus } from "lucide-react";
import { Button } from "@/components/ui/button";
import type { SuggestedChart } from "@/lib/charts/builder/suggest";

/** What to begin a dashboard with, for those who may; on an empty one for others, whom to turn to. */
export function SuggestedCharts({
  empty,
  suggestions,
  pending,
  onAdd,
}: {
  /** There is no chart yet. */
  empty: boolean;
  suggestions: SuggestedChart[] | null;
  pending: boolean;
  onAdd: (name: string) => void;
}) {
  if (suggestions === null) {
    return (
      <div className="flex max-w-2xl flex-col gap-2 py-4">
        <h2 className="font-semibold text-lg">There is no chart here yet</h2>
        <p className="text-muted-foreground">Ask somebody who may build charts to add the first one.</p>
      </div>
    );
  }
  return (
    <div className="flex max-w-2xl flex-col gap-4 py-4">
      <div className="flex flex-col gap-2">
        <h2 className="font-semibold text-lg">{empty ? "Begin with a chart" : "More to begin with"}</h2>
        <p className="text-muted-foreground">
          Each of these is one click, and can be changed afterwards. Or build your own with “New chart”.
        </p>
      </div>
      <ul className="divide-y rounded-md border">
        {suggestions.map(({ why, definition: { name } }) => (
          <li key={name} className="flex items-center gap-4 py-2 pr-2 pl-4">
            <div className="min-w-0 flex-1">
              <p className="font-medium">{name}</p>
              <p className="text-muted-foreground text-sm">{why}</p>
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
    </div>
  );
}
