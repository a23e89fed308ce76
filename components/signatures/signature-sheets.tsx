import type { ReactNode } from "react";
import { entryTotals } from "@/components/signatures/entry-totals";
import { SheetList } from "@/components/signatures/sheet-list";
import { TotalsBar } from "@/components/signatures/totals-bar";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import type { CampaignOfTeam } from "@/lib/ids";
import type { EntryState } from "@/lib/signatures/answers";

/** The sheets and lines of a team for those who may see them and enter none. `children` are the lines. */
export function SignatureSheets({
  state,
  place,
  children,
}: {
  state: EntryState;
  place: CampaignOfTeam;
  children: ReactNode;
}) {
  return (
    <div className="flex flex-col">
      <TotalsBar totals={entryTotals(state, [])} state={state} own={false} />
      <section aria-labelledby="sheets" className="border-b pb-2">
        <div className="flex min-h-12 flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-2 md:px-6">
          <h2 id="sheets" className="font-semibold">
            Open sheets
          </h2>
          {/* Without JavaScript as well. */}
          <form className="flex items-center gap-2">
            <label htmlFor="sheet" className="whitespace-nowrap text-muted-foreground text-sm">
              Any sheet, by number
            </label>
            <Input id="sheet" name="sheet" inputMode="numeric" pattern="[1-9][0-9]{0,5}" required className="w-24" />
            <Button type="submit" variant="outline">
              See lines
            </Button>
          </form>
        </div>
        <div className="md:px-2">
          <SheetList sheets={state.sheets} place={place} current={null} />
        </div>
      </section>
      {children}
    </div>
  );
}
