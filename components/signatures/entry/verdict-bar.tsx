import type { Entry } from "@/components/signatures/entry/use-entry";
import { Button } from "@/components/ui/button";
import { Kbd } from "@/components/ui/kbd";
import { verdictKeys } from "@/lib/signatures/entry/entry-keys";
import { currentOffer, type Offer } from "@/lib/signatures/entry/offer";
import { listName } from "@/lib/voters/voter-text";

/** What Enter does now, the verdicts with their keys, and the correction, as buttons. */
export function VerdictBar({ entry: { form, context, current, dispatch, click } }: { entry: Entry }) {
  const offered = currentOffer(form, context);
  const isNextTyped = form.openQuestion?.isTyping === true; // Enter ends that line then
  const isCorrection = form.replaces !== null;
  // Someone else's line is corrected in the register, to which the line leads.
  const correct = (className: string) =>
    current && !current.mine ? null : (
      <Button
        variant="ghost"
        aria-disabled={!isCorrection && context.last === null && !current}
        onClick={() => dispatch({ type: isCorrection ? "clear" : "correct" })}
        className={className}
      >
        {isCorrection ? "Cancel correction" : current ? `Correct line ${current.line}` : "Correct previous line"}{" "}
        <Kbd aria-hidden>{isCorrection ? "Esc" : "Ctrl+Shift+Enter"}</Kbd>
      </Button>
    );
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
    <div role="group" aria-label="Enter the line" className="flex flex-wrap items-center gap-2 px-4 py-2 md:px-6">
      <Button
        aria-disabled={["nothing", "no-match", "wait"].includes(offered.does)}
        className="min-w-0 max-w-full @3xl:basis-80 basis-full justify-between"
        onMouseDown={(event) => event.preventDefault()} // the focus, and a phone's keyboard, stay with the field
        onClick={() => click({ type: "enter" })}
      >
        <span className="truncate">
          {isNextTyped && `Line ${form.line}: `}
          {offerText(offered, form.line, context.replaced)}
        </span>
        {!isNextTyped && (
          <Kbd aria-hidden className="border-primary-foreground/40 bg-transparent text-primary-foreground">
            Enter
          </Kbd>
        )}
      </Button>
      {correct("@3xl:ml-auto @max-3xl:hidden")}
      <span aria-hidden className="@max-3xl:hidden basis-full" />
      <span
        aria-hidden
        className="@max-3xl:hidden flex items-center text-muted-foreground text-xs pointer-coarse:hidden"
      >
        <Kbd>Ctrl+Shift+</Kbd>
      </span>
      {/* On a phone one row, which scrolls: its last button is cut off at the edge. */}
      <div className="@3xl:contents -mx-4 flex gap-2 overflow-x-auto px-4 md:-mx-6 md:px-6">
        {verdictKeys.map(({ verdict, label, digit }) => (
          <Button
            key={verdict}
            variant="outline"
            className="px-2.5 font-normal"
            onClick={() => click({ type: "verdict", verdict })}
          >
            {isNextTyped && `Line ${form.line}: `}
            {label} <Kbd aria-hidden>{digit}</Kbd>
          </Button>
        ))}
        {correct("@3xl:hidden")}
      </div>
    </div>
  );
}

function offerText(offer: Offer, line: number | null, replaced: Entry["context"]["replaced"]): string {
  const move = replaced && replaced.line !== line && `Move to line ${line}`;
  const changeTo = move ? `${move} as` : replaced ? "Change to" : "Enter as";
  switch (offer.does) {
    case "accept": {
      const act = replaced?.verdict === "accepted" ? (move ? `${move}:` : "Replace with") : `${changeTo} valid:`;
      return `${act} ${listName(offer.voter)}`;
    }
    case "duplicate":
      return `${changeTo} duplicate`;
    case "mark":
      return `Select ${listName(offer.voter)}`;
    case "save-typed":
      return "Save for later";
    case "go":
      return `Go to line ${offer.line}`;
    case "reopen":
      return "Reopen the sheet";
    case "close":
      return "Review and close the sheet";
    case "wait":
      return offer.for === "voters" ? "Searching…" : "Checking…";
    case "no-match":
    case "nothing":
      return "Enter as valid";
  }
}
