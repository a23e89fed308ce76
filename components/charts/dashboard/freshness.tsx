import { useSyncExternalStore } from "react";
import { type CardEditing, EditLink } from "@/components/charts/dashboard/card-actions";
import type { CardNumbers } from "@/components/charts/dashboard/use-numbers";
import { useFormat } from "@/components/shell/format-provider";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { signersHiddenMessage } from "@/lib/charts/definition/columns";
import type { DashboardChart } from "@/lib/charts/definition/stored-chart";
import { recordNoun } from "@/lib/charts/definition/words";
import type { Format } from "@/lib/format/format-of";

const minuteMs = 60_000;
const dayMinutes = 24 * 60;

function everyMinute(changed: () => void) {
  const timer = setInterval(changed, minuteMs);
  return () => clearInterval(timer);
}

// Null on the server, which doesn't render again when a minute has passed.
function useMinutesSince(timestamp: string): number | null {
  return useSyncExternalStore(
    everyMinute,
    () => Math.max(0, Math.floor((Date.now() - Date.parse(timestamp)) / minuteMs)),
    () => null,
  );
}

/** How long ago a time was: `just now`, `12 min ago`, `3 h ago`, then its day. Printed, the time itself. */
export function Age({ at }: { at: string }) {
  const format = useFormat();
  const minutes = useMinutesSince(at);
  return (
    <time dateTime={at} title={format.dateTime(at)} className="print:after:content-[attr(title)]">
      <span className="print:hidden">{minutes === null ? "\u00a0" : ageText(minutes, at, format)}</span>
    </time>
  );
}

function ageText(minutes: number, timestamp: string, format: Format) {
  if (minutes === 0) return "just now";
  if (minutes < 60) return `${minutes} min ago`;
  if (minutes < dayMinutes) return `${Math.floor(minutes / 60)} h ago`;
  if (minutes < 7 * dayMinutes) return `${format.count(Math.floor(minutes / dayMinutes), "day")} ago`;
  return `on ${format.day(timestamp)}`;
}

function OldBadge({ at }: { at: string }) {
  return (useMinutesSince(at) ?? 0) >= dayMinutes && <Badge tone="warning">over a day old</Badge>;
}

type Props = { chart: DashboardChart; editing: CardEditing | undefined };

/** The foot of a card: how many records its numbers count, how old they are, and whether they are being refreshed. */
export function Freshness({ chart, numbers: { result, busy }, editing }: Props & { numbers: CardNumbers }) {
  const format = useFormat();
  const isStored = result === chart.data; // otherwise it was generated here, just now
  const newer = isStored ? chart.newer : 0;
  return (
    <div className="mt-auto flex min-h-10 flex-wrap items-center gap-x-2 px-4 py-2 text-muted-foreground text-xs">
      <p role="status" className="empty:-mr-2">
        {busy === "running" && "Refreshing…"}
        {busy === "waiting" && "Waiting…"}
      </p>
      {busy === null && result && (
        <>
          <p>
            {format.count(result.recordCount, recordNoun(result.source))} · <Age at={result.generatedAt} />
            {newer > 0 && (
              <span title="Lines entered or changed since then, whether or not this chart counts them">
                {" · "}
                {newer > 1_000 ? `over ${format.number(1_000)} newer lines` : format.count(newer, "newer line")}
              </span>
            )}
          </p>
          {isStored && chart.isStale && !chart.failed ? <p>Refreshing…</p> : <OldBadge at={result.generatedAt} />}
          {chart.failed && isStored && (
            <p>Couldn't refresh. {editing && <EditLink editing={editing}>Edit it to see why</EditLink>}</p>
          )}
        </>
      )}
    </div>
  );
}

function whyEmpty({ withheld, failure, outdated }: DashboardChart) {
  if (withheld) return signersHiddenMessage;
  if (failure) return "No numbers with this filter.";
  if (outdated) return "This chart was changed and has no new numbers yet.";
  return "This chart has no numbers yet.";
}

const askText = "Ask someone who can edit charts to fix it.";

/** Shown for a chart without numbers: why, and what to do. */
export function NotGenerated({ chart, busy, editing }: Props & { busy: boolean }) {
  const { name, isStale, failed, failure, withheld } = chart;
  const onGenerate = editing?.onGenerate;
  return (
    <div className="flex h-64 flex-col items-center justify-center gap-3 p-4 text-center">
      <p className="max-w-72 text-muted-foreground">
        {whyEmpty(chart)}
        {isStale && !failed && " Refreshing…"}
        {failed && (
          <> Couldn't refresh. {editing ? <EditLink editing={editing}>Edit it to see why</EditLink> : askText}</>
        )}
        {!(onGenerate || failed || isStale || failure || withheld) && " Ask someone who can edit charts to refresh it."}
      </p>
      {onGenerate && (
        <Button
          variant="outline"
          className="print:hidden"
          aria-label={`Refresh ${name} now`}
          aria-disabled={busy}
          onClick={() => busy || onGenerate()}
        >
          Refresh
        </Button>
      )}
    </div>
  );
}
