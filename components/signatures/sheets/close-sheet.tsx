import { useFormat } from "@/components/shell/format-provider";
import { Button } from "@/components/ui/button";
import { Dialog, DialogBody, DialogFooter } from "@/components/ui/dialog";
import { capitalized } from "@/lib/format/text";
import type { closingReport } from "@/lib/signatures/entry/shown-lines";
import { verdicts, verdictWords } from "@/lib/signatures/verdicts";

const shown = 12; // gaps that are named

/** What a sheet holds, before it is closed: each kind of line, and the lines on which nothing stands. */
export function CloseSheet({
  number,
  report: { counts, open, gaps },
  signatureCount,
  onGo,
  onCloseSheet,
  onDone,
}: {
  number: number;
  report: ReturnType<typeof closingReport>;
  signatureCount: number | null;
  onGo: (line: number) => void;
  onCloseSheet: () => void;
  onDone: () => void;
}) {
  const { count, list, number: inDigits } = useFormat();
  const [first] = gaps;
  const named = list(gaps.slice(0, shown).map(String));
  return (
    <Dialog title={`Close sheet ${number}?`} onClose={onDone}>
      {(close) => (
        <>
          <DialogBody>
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
                  <dt className="text-muted-foreground">Signatures on the paper</dt>
                  <dd className="font-medium tabular-nums">{inDigits(signatureCount)}</dd>
                </div>
              )}
            </dl>
            {open > 0 && (
              <p className="text-destructive">
                {count(open, "line is", "lines are")} not settled yet: refused, or to be looked up. They wait on this
                device.
              </p>
            )}
            {first === undefined ? (
              open === 0 && <p className="text-success">No line is missing.</p>
            ) : (
              <p className="text-warning">
                {gaps.length === 1 ? `Line ${named} is` : `Lines ${named}${gaps.length > shown ? " and more" : ""} are`}{" "}
                empty. Key {gaps.length === 1 ? "it" : "them"}, or mark {gaps.length === 1 ? "it" : "them"} as blank
                where the paper is.
              </p>
            )}
          </DialogBody>
          <DialogFooter>
            {first !== undefined && (
              <Button
                variant="outline"
                data-first
                onClick={() => {
                  close();
                  onGo(first);
                }}
              >
                Go to line {first}
              </Button>
            )}
            <Button
              data-first={first === undefined ? true : undefined}
              onClick={() => {
                close();
                onCloseSheet();
              }}
            >
              {first === undefined ? "Close the sheet" : `Close with ${count(gaps.length, "gap")}`}
            </Button>
          </DialogFooter>
        </>
      )}
    </Dialog>
  );
}
