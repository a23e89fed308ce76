import { Ellipsis, Plus, Printer, RefreshCw } from "lucide-react";
import type { DashboardTask } from "@/components/charts/dashboard/dashboard-dialogs";
import type { GenerationProgress } from "@/components/charts/dashboard/use-numbers";
import { useFormat } from "@/components/shell/format-provider";
import { Button, buttonVariants, IconButton } from "@/components/ui/button";
import { ButtonLink } from "@/components/ui/link";
import { Menu } from "@/components/ui/menu";
import { Choice } from "@/components/ui/select";
import { type MaxAge, maxAges } from "@/lib/charts/definition/dashboard";
import { cn } from "@/lib/utils";

type Props = {
  progress: GenerationProgress | null;
  count: number;
  maxAge: MaxAge;
  newHref: string;
  canEdit: boolean;
  /** It isn't the first one, which always exists. */
  canDelete: boolean;
  onTask: (task: DashboardTask) => void;
  onMaxAge: (maxAge: MaxAge) => void;
  onGenerate: (() => void) | undefined;
};

/** The bar above the charts: their number, how often they refresh, printing, and actions for people with `charts.edit`. */
export function DashboardBar(props: Props) {
  const { progress, count, maxAge, newHref, canEdit, canDelete, onTask, onMaxAge, onGenerate } = props;
  const format = useFormat();
  const print = async () => {
    const end = performance.now() + 3_000; // what can't be loaded, such as offline, isn't waited for
    do {
      await new Promise(requestAnimationFrame); // in which a drawn chart also measures its box
    } while (performance.now() < end && document.querySelector("[data-drawing]:not(:has(svg)), [data-grid]:empty"));
    window.print();
  };
  const isRunning = progress !== null && progress.done < progress.all;
  return (
    <div className="flex min-h-8 flex-wrap items-center gap-x-4 gap-y-2 print:hidden">
      <p role="status" className="text-sm">
        {progress === null ? count > 0 && format.count(count, "chart") : progressText(progress, format.count)}
      </p>
      {count > 0 &&
        (canEdit ? (
          <label className="flex items-center gap-2">
            <span className="whitespace-nowrap text-muted-foreground text-sm">Auto-refresh</span>
            <Choice value={maxAge} className="w-auto" options={maxAges} onChoose={onMaxAge} />
          </label>
        ) : (
          <p className="text-muted-foreground text-sm">Auto-refresh: {maxAges.find(([age]) => age === maxAge)?.[1]}</p>
        ))}
      {count > 0 && !canEdit && (
        <IconButton className="ml-auto" icon={Printer} label="Print" title="Print" onClick={() => void print()} />
      )}
      {canEdit && (
        <div className="ml-auto flex flex-wrap gap-2">
          <Menu
            aria-label="More actions for this dashboard"
            title="More actions"
            align="end"
            className={buttonVariants({ variant: "ghost", size: "icon" })}
            entries={[
              { label: "Add text", onPick: () => onTask({ text: null }) },
              { label: "New dashboard", onPick: () => onTask("create") },
              ...(count > 0 ? [{ label: "Print", onPick: () => void print() }] : []),
              ...(canDelete
                ? [
                    { label: "Rename dashboard", onPick: () => onTask("rename") },
                    { label: "Delete dashboard", danger: true, onPick: () => onTask("delete") },
                  ]
                : []),
            ]}
          >
            <Ellipsis aria-hidden />
          </Menu>
          {onGenerate && (
            <Button variant="outline" aria-disabled={isRunning} onClick={() => isRunning || onGenerate()}>
              <RefreshCw aria-hidden className={cn(isRunning && "motion-safe:animate-spin")} />
              Refresh all
            </Button>
          )}
          <ButtonLink href={newHref}>
            <Plus aria-hidden />
            New chart
          </ButtonLink>
        </div>
      )}
    </div>
  );
}

function progressText({ done, failed, all }: GenerationProgress, count: (number: number, singular: string) => string) {
  if (done < all) return `Refreshing ${done + 1} of ${all}…`;
  return failed === 0
    ? `${count(all, "chart")} refreshed.`
    : `${all - failed} of ${all} refreshed.${failed < all ? " The others show why." : " Each chart shows why."}`;
}
