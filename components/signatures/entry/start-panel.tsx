import { useId } from "react";
import type { Entry } from "@/components/signatures/entry/use-entry";
import { StartSheet } from "@/components/signatures/sheets/start-sheet";
import { Button } from "@/components/ui/button";
import { placeText } from "@/lib/signatures/line-text";

/** Before a sheet is open: resume the last one or another, or start one. */
export function StartPanel({
  entry: { form, last, sheets },
  circulators,
}: {
  entry: Entry;
  circulators: readonly string[];
}) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="flex flex-col gap-4 border-b px-4 py-4 md:px-6">
      <h2 id={id} className="font-semibold text-lg">
        Start with a sheet
      </h2>
      <p role="status" className="text-sm empty:hidden">
        {form.message?.text}
      </p>
      {last && (
        <div>
          <Button autoFocus onClick={() => sheets.resume(last.sheet, last.line)}>
            Resume {placeText(last)}
          </Button>
        </div>
      )}
      <StartSheet autoFocus={last === null} circulators={circulators} sheets={sheets.open} onStart={sheets.start} />
    </section>
  );
}
