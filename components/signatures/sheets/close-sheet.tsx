import { useFormat } from "@/components/shell/format-provider";
import type { Entry } from "@/components/signatures/entry/use-entry";
import { Button } from "@/components/ui/button";
import { Dialog, DialogBody, DialogFooter } from "@/components/ui/dialog";
import { capitalized } from "@/lib/format/text";
import { closingReport } from "@/lib/signatures/entry/shown-lines";
import { enteredText, personText, rangesText } from "@/lib/signatures/line-text";
import { needsAttention } from "@/lib/signatures/outbox/outbox";
import { verdicts, verdictWords } from "@/lib/signatures/verdicts";

const maxNamed = 12;

/** Reports the lines of a sheet by verdict, and the empty ones, before it is closed. */
export function CloseSheet({
  entry: { context, sheets, lines, outbox, dispatch },
  number,
  onClose,
}: {
  entry: Entry;
  number: number;
  onClose: () => void;
}) {
  const report = closingReport(context.lines, context.lineCount);
  const { counts, gaps } = report;
  const unresolvedCount = outbox.items.filter(
    (item) => needsAttention(item) && "line" in item.change && item.change.sheet === number,
  ).length;
  const signatureCount = sheets.current?.signatureCount ?? null;
  const format = useFormat();
  const { count, list, number: inDigits } = format;
  const [first] = gaps;
  const isOne = gaps.length === 1;
  const isReady = first === undefined && unresolvedCount === 0;
  return (
    <Dialog title={`Close sheet ${number}?`} onClose={onClose}>
      <DialogBody>
        <p className="font-medium">{enteredText(report, format)}</p>
        <dl aria-label={`Lines of sheet ${number}`} className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
          {verdicts
            .filter((verdict) => verdict === "accepted" || counts.has(verdict))
            .map((verdict) => (
              <div key={verdict} className="contents">
                <dt className="text-muted-foreground">{capitalized(verdictWords[verdict])}</dt>
                <dd className="font-medium tabular-nums">{inDigits(counts.get(verdict) ?? 0)}</dd>
              </div>
            ))}
          {signatureCount !== null && (
            <div className="contents">
              <dt className="text-muted-foreground">Signatures expected</dt>
              <dd className="font-medium tabular-nums">{inDigits(signatureCount)}</dd>
            </div>
          )}
        </dl>
        {lines.otherClerks.length > 0 && (
          <p className="text-warning">
            Still entering on this sheet:{" "}
            {list(lines.otherClerks.map(({ name, line }) => `${personText(name)}, line ${line}`))}.
          </p>
        )}
        {unresolvedCount > 0 && (
          <p className="text-destructive">
            {count(unresolvedCount, "line needs", "lines need")} attention. {unresolvedCount === 1 ? "It's" : "They're"}{" "}
            saved only on this device.
          </p>
        )}
        {first === undefined ? (
          unresolvedCount === 0 && (
            <p className="text-success">
              No lines are missing.
              {signatureCount !== null && report.lines < signatureCount && (
                <span className="block text-warning">
                  Only {count(report.lines, "signature is", "signatures are")} entered. Check the number on the paper.
                </span>
              )}
            </p>
          )
        ) : (
          <p className="text-warning">
            {isOne ? `Line ${first} is` : `Lines ${list(namedGaps(gaps))} are`} empty. Enter{" "}
            {isOne ? "it, or mark it blank if it's" : "them, or mark them blank if they're"} blank on paper. A line
            that's open in another tab or on another device isn't counted yet.
          </p>
        )}
      </DialogBody>
      <DialogFooter>
        {first !== undefined && (
          <Button
            data-first
            onClick={() => {
              onClose();
              dispatch({ type: "go", line: first });
            }}
          >
            Go to line {first}
          </Button>
        )}
        {first === undefined && unresolvedCount > 0 && (
          <Button data-first onClick={onClose}>
            Back to the {unresolvedCount === 1 ? "line" : "lines"}
          </Button>
        )}
        <Button
          variant={isReady ? "default" : "outline"}
          data-first={isReady ? true : undefined}
          onClick={() => {
            onClose();
            sheets.close(number);
          }}
        >
          {isReady
            ? "Close sheet"
            : first === undefined
              ? `Close without ${unresolvedCount === 1 ? "it" : "them"}`
              : `Close with ${count(gaps.length, "empty line")}`}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}

// `1–12`, `15`, and `others` beyond the first twelve ranges.
function namedGaps(gaps: number[]): string[] {
  const ranges = rangesText(gaps);
  return ranges.length > maxNamed ? [...ranges.slice(0, maxNamed), "others"] : ranges;
}
