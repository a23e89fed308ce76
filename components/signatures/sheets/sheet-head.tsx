import { ChevronDown } from "lucide-react";
import { useFormat } from "@/components/shell/format-provider";
import type { Entry } from "@/components/signatures/entry/use-entry";
import { Button } from "@/components/ui/button";
import { Kbd } from "@/components/ui/kbd";
import { withOwnCount } from "@/lib/signatures/entry/shown-lines";
import { personText } from "@/lib/signatures/line-text";

/** The current sheet: what is written on it, who entered it, and who else has it open. */
export function SheetHead({ entry, number }: { entry: Entry; number: number }) {
  const { sheets, lines, context, setDialog } = entry;
  const sheet = sheets.current;
  const { count, list, shortDay } = useFormat();
  const clerks = withOwnCount(sheet?.clerks ?? [], context.lines, context.replaced);
  const enteredBy = clerks.map(
    ({ name, mine, lines }, index) => `${lines}${index === 0 ? " entered" : ""} by ${personText(name, mine)}`,
  );
  const facts = [
    sheet?.circulator && `collected by ${sheet.circulator}`,
    sheet?.collectedOn && shortDay(sheet.collectedOn),
    sheet?.signatureCount != null && count(sheet.signatureCount, "signature"),
    enteredBy.length > 0 && list(enteredBy),
  ].filter(Boolean);
  return (
    <div className="flex min-h-11 flex-wrap items-center gap-x-4 gap-y-1 border-b px-4 py-1 md:px-6">
      <h2>
        <Button
          variant="outline"
          aria-haspopup="dialog"
          className="font-semibold text-base"
          onClick={() => setDialog("show-sheet")}
        >
          Sheet {number}
          <ChevronDown aria-hidden />
          <Kbd aria-hidden>Ctrl+Shift+9</Kbd>
        </Button>
      </h2>
      <p className="wrap-anywhere min-w-0 flex-1 basis-48 text-muted-foreground text-sm">{facts.join(" · ")}</p>
      <p role="status" className="text-sm text-warning empty:hidden">
        {context.isClosed && "This sheet has been closed. Reopen it, or open another sheet. "}
        {lines.otherClerks.length > 0 &&
          `Also here: ${list(lines.otherClerks.map(({ name, line }) => `${personText(name)}, line ${line}`))}`}
      </p>
    </div>
  );
}
