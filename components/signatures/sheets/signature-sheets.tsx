import Form from "next/form";
import { CampaignCount } from "@/components/shell/campaign-count";
import { registerPath } from "@/components/signatures/register/register-path";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { ButtonLink } from "@/components/ui/link";
import type { Format } from "@/lib/format/format-of";
import type { CampaignOfTeam } from "@/lib/ids";
import type { EntryState } from "@/lib/signatures/answers";
import type { Sheet } from "@/lib/signatures/line";
import { personText } from "@/lib/signatures/line-text";

/** A team's open sheets for people who can't enter signatures, and a form that leads to any other sheet. */
export function SignatureSheets({
  state,
  place,
  format,
}: {
  state: EntryState;
  place: CampaignOfTeam;
  format: Format;
}) {
  return (
    <div className="flex flex-col">
      <p className="border-b px-4 py-2 md:hidden">
        <CampaignCount accepted={state.campaign.accepted} goal={state.goal} />
      </p>
      <section aria-labelledby="sheets">
        <div className="flex min-h-12 flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-2 md:px-6">
          <h2 id="sheets" className="font-semibold">
            Open sheets
          </h2>
          <Form action={registerPath(place)} prefetch={false} className="flex items-center gap-2">
            <label htmlFor="sheet" className="whitespace-nowrap text-muted-foreground text-sm">
              Sheet number
            </label>
            <Input id="sheet" name="sheet" inputMode="numeric" pattern="[1-9][0-9,]{0,6}" required className="w-24" />
            <input type="hidden" name="sort" value="sheet" />
            <Button type="submit" variant="outline">
              View lines
            </Button>
          </Form>
        </div>
        {state.sheets.length === 0 ? (
          <p className="px-4 py-4 text-muted-foreground md:px-6">No open sheets.</p>
        ) : (
          <ul aria-label="Open sheets" className="md:px-2">
            {state.sheets.map((sheet) => (
              <li
                key={sheet.number}
                className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b px-4 py-1.5 last:border-b-0"
              >
                <div className="min-w-0 flex-1 basis-48">
                  <p className="font-medium">Sheet {sheet.number}</p>
                  <p className="wrap-anywhere text-muted-foreground text-sm">{sheetText(sheet, format)}</p>
                </div>
                <ButtonLink href={registerPath(place, { sheet: sheet.number, sort: "sheet" })} variant="ghost">
                  View lines<span className="sr-only"> of sheet {sheet.number}</span>
                </ButtonLink>
              </li>
            ))}
          </ul>
        )}
      </section>
    </div>
  );
}

function sheetText({ lines, signatureCount, circulator, ...sheet }: Sheet, { count, number, shortDay, list }: Format) {
  const enteredBy = sheet.clerks.map(({ name, lines }) => `${personText(name)} (${number(lines)})`);
  return [
    count(lines, "line") + (signatureCount === null ? "" : ` of ${number(signatureCount)}`),
    circulator && `collected by ${circulator}`,
    `opened by ${personText(sheet.openedBy)} on ${shortDay(sheet.openedAt)}`,
    enteredBy.length > 0 && `entered by ${list(enteredBy)}`,
  ]
    .filter(Boolean)
    .join(" · ");
}
