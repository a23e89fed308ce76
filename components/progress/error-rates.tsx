import { shareText } from "@/components/progress/number-text";
import { Link } from "@/components/ui/link";
import { Disclosure, Section } from "@/components/ui/section";
import { Table, TableCell, TableHead, TableRow } from "@/components/ui/table";
import type { Format } from "@/lib/format/format-of";
import type { CampaignOfTeam } from "@/lib/ids";
import { personText } from "@/lib/signatures/line-text";
import type { QualityCheck, QualityRate } from "@/lib/signatures/quality";
import { qualityPath } from "@/lib/signatures/register/register-path";

/** The error rate of the campaign, of each clerk and of sheets that were drawn. */
export function ErrorRates({
  check: { drawn, waiting, rates },
  format,
}: {
  check: Pick<QualityCheck, "drawn" | "waiting" | "rates">;
  format: Format;
}) {
  const { count, number } = format;
  return (
    <Section
      title="Error rates"
      note={
        drawn === 0
          ? "None yet. They appear after the second entry."
          : `${count(drawn, "line")} drawn, ${number(drawn - waiting)} entered twice. An error is a first entry with the wrong voter or status. A difference counts once it's settled.`
      }
    >
      {rates.length > 0 && <RateTable rates={rates} format={format} />}
      {rates.length > 0 && (
        <p className="text-muted-foreground text-sm">
          A sheet's sample counts only for that sheet, a clerk's only for that clerk. The campaign's rate needs a sample
          of all lines.
        </p>
      )}
    </Section>
  );
}

function RateTable({ rates, format }: { rates: QualityRate[]; format: Format }) {
  const { number } = format;
  return (
    <Table aria-label="Error rates" className="table-fixed">
      <thead>
        <tr>
          <TableHead>{rates.every(({ of }) => of === "clerk") ? "Clerk" : "Clerk or sheet"}</TableHead>
          <TableHead className="w-20 text-right sm:w-28">Checked</TableHead>
          <TableHead className="w-16 text-right sm:w-28">Errors</TableHead>
          <TableHead className="w-20 text-right sm:w-28">Rate</TableHead>
          <TableHead className="w-36 text-right max-sm:hidden">95% range</TableHead>
        </tr>
      </thead>
      <tbody>
        {rates.map((rate) => {
          const text = shareText(rate.errors, rate.checked, format);
          return (
            <TableRow key={`${rate.of} ${rate.clerk?.id} ${rate.sheet}`}>
              <TableCell className="wrap-anywhere">{nameOf(rate)}</TableCell>
              <TableCell className="text-right">{number(rate.checked)}</TableCell>
              <TableCell className="text-right">{number(rate.errors)}</TableCell>
              <TableCell className="text-right font-medium">
                {text?.rate}
                <span className="block font-normal text-muted-foreground text-sm sm:hidden">{text?.interval}</span>
              </TableCell>
              <TableCell className="text-right max-sm:hidden">{text?.interval}</TableCell>
            </TableRow>
          );
        })}
      </tbody>
    </Table>
  );
}

const nameOf = ({ of, clerk, sheet }: QualityRate) =>
  of === "campaign" ? "Whole campaign" : of === "sheet" ? `Sheet ${sheet}` : personText(clerk?.name ?? null);

/** Entry errors of the campaign and of each clerk, with a link to the quality check; nothing before lines were checked. */
export function EntryErrors({ check, place, format }: { check: QualityCheck; place: CampaignOfTeam; format: Format }) {
  const campaign = check.rates.find(({ of }) => of === "campaign");
  const clerks = check.rates.filter(({ of }) => of === "clerk");
  const text = campaign && shareText(campaign.errors, campaign.checked, format);
  if (clerks.length === 0) return null;
  return (
    <div className="flex flex-col gap-1 text-muted-foreground text-sm">
      <p>
        {text &&
          `Entry errors: ${text.rate} of ${format.count(campaign.checked, "checked line")} (95% range ${text.interval}). `}
        {campaign && campaign.checked < 50 && "Check at least 50 lines for a useful rate. "}
        <Link href={qualityPath(place)} className="text-primary underline underline-offset-4">
          Quality check
        </Link>
      </p>
      <Disclosure summary="Entry errors of each clerk">
        <RateTable rates={clerks} format={format} />
      </Disclosure>
    </div>
  );
}
