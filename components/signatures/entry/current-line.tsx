import { useFormat } from "@/components/shell/format-provider";
import type { Entry } from "@/components/signatures/entry/use-entry";
import { Button } from "@/components/ui/button";
import { ButtonLink } from "@/components/ui/link";
import { capitalized } from "@/lib/format/text";
import type { ShownLine } from "@/lib/signatures/entry/shown-lines";
import { personText } from "@/lib/signatures/line-text";
import { registerPath } from "@/lib/signatures/register/register-path";

/** The line that the clerk selected, with its actions. */
export function CurrentLine({
  line,
  entry: { place, canRemove, dispatch, undo, setDialog },
}: {
  line: ShownLine;
  entry: Entry;
}) {
  const { dateTime } = useFormat();
  const history = registerPath(place, { line: line.id });
  return (
    <section aria-label={`Line ${line.line}`} className="flex max-w-2xl flex-col gap-3 px-4 py-3 md:px-6">
      <div>
        <h2 className="wrap-anywhere font-semibold text-lg">{line.name || `Line ${line.line}`}</h2>
        <p className="text-muted-foreground">
          {line.name ? `Line ${line.line}: ${line.stateText}` : capitalized(line.stateText)}
          {line.stored ? ` · entered by ${personText(line.enteredBy, line.mine)}, ` : " · only on this device, "}
          {dateTime(line.enteredAt)}
        </p>
      </div>
      {line.state === "refused" || line.state === "typed" ? (
        <p className="text-warning">This line needs attention: see the list below.</p>
      ) : (
        <div className="flex flex-wrap gap-2">
          {line.mine && (
            <>
              <Button variant="outline" onClick={() => dispatch({ type: "correct" })}>
                Correct line
              </Button>
              <Button variant="outline" onClick={() => undo(line)}>
                Remove line
              </Button>
            </>
          )}
          {!line.mine && canRemove && (
            <>
              <ButtonLink href={`${history}#correct`} variant="outline">
                Correct…
              </ButtonLink>
              <ButtonLink href={`${history}#remove`} variant="outline">
                Remove…
              </ButtonLink>
            </>
          )}
          {line.stored && (
            <>
              {(line.mine || canRemove) && (
                <Button variant="outline" onClick={() => setDialog({ move: line })}>
                  Move…
                </Button>
              )}
              <ButtonLink href={history} variant="ghost">
                History
              </ButtonLink>
            </>
          )}
        </div>
      )}
    </section>
  );
}
