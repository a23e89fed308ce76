import Form from "next/form";
import { TotalsBar } from "@/components/signatures/entry/totals-bar";
import { registerPath } from "@/components/signatures/register/register-path";
import { SheetList } from "@/components/signatures/sheets/sheet-list";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import type { CampaignOfTeam } from "@/lib/ids";
import type { EntryState } from "@/lib/signatures/answers";
import { entryTotals } from "@/lib/signatures/entry/entry-totals";

/** The open sheets of a team for those who may see them and enter none, and the way to any other one. */
export function SignatureSheets({ state, place }: { state: EntryState; place: CampaignOfTeam }) {
  return (
    <div className="flex flex-col">
      <TotalsBar totals={entryTotals(state, [])} state={state} own={false} />
      <section aria-labelledby="sheets">
        <div className="flex min-h-12 flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-2 md:px-6">
          <h2 id="sheets" className="font-semibold">
            Open sheets
          </h2>
          <Form action={registerPath(place)} prefetch={false} className="flex items-center gap-2">
            <label htmlFor="sheet" className="whitespace-nowrap text-muted-foreground text-sm">
              Any sheet, by number
            </label>
            <Input id="sheet" name="sheet" inputMode="numeric" pattern="[1-9][0-9]{0,5}" required className="w-24" />
            <input type="hidden" name="sort" value="sheet" />
            <Button type="submit" variant="outline">
              See lines
            </Button>
          </Form>
        </div>
        <div className="md:px-2">
          <SheetList sheets={state.sheets} place={place} current={null} />
        </div>
      </section>
    </div>
  );
}
