"use client";

import { ActionForm } from "@/components/forms/action-form";
import { ButtonLink } from "@/components/ui/link";
import { Section } from "@/components/ui/section";
import { capitalized } from "@/lib/format/text";
import type { FormSubmit } from "@/lib/forms/form-state";
import type { CampaignOfTeam } from "@/lib/ids";
import { nameText, personText, placeText } from "@/lib/signatures/line-text";
import type { QualityCheck } from "@/lib/signatures/quality";
import { registerPath } from "@/lib/signatures/register/register-path";
import { verdictWords } from "@/lib/signatures/verdicts";

type Difference = QualityCheck["differences"][number];

/** Lines whose two entries differ, side by side, until one is called right and a wrong line is corrected. */
export function Differences({
  place,
  userId,
  differences,
  settle,
}: {
  place: CampaignOfTeam;
  /** Who reads them: people don't settle differences of their own lines. */
  userId: string;
  differences: Difference[];
  settle: FormSubmit;
}) {
  return (
    <Section
      title="Differences"
      note={differences.length === 0 ? "None to settle or correct." : "Compare both with the paper."}
    >
      {differences.length > 0 && (
        <ul className="flex flex-col divide-y rounded-md border">
          {differences.map((one) => (
            <li key={one.id} aria-label={capitalized(placeText(one))} className="flex flex-col gap-2 px-4 py-3">
              <div className="flex flex-wrap items-center justify-between gap-x-3">
                <h3 className="font-medium">{capitalized(placeText(one))}</h3>
                <ButtonLink href={registerPath(place, { line: one.id })} variant="ghost">
                  {one.right ? "Correct the line" : "Open the line"}
                </ButtonLink>
              </div>
              {one.right && <p className="text-warning">The second entry is right. Correct the line to match.</p>}
              {!one.right && one.first.by?.id === userId && (
                <p className="text-warning">You entered this line, so another supervisor settles the difference.</p>
              )}
              <div className="grid gap-3 sm:grid-cols-2">
                {(["first", "second"] as const).map((which) => (
                  <div key={which} className="flex flex-col gap-2">
                    <EntryFacts which={which} entry={one[which]} />
                    {!one.right && one.first.by?.id !== userId && (
                      <ActionForm
                        action={settle}
                        hidden={{ ...place, id: one.id, right: which }}
                        submit={[`The ${which} is right`, "Saving…"]}
                        variant="outline"
                      />
                    )}
                  </div>
                ))}
              </div>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function EntryFacts({ which, entry }: { which: "first" | "second"; entry: Difference["first"] }) {
  const { verdict, voterId, address, by } = entry;
  return (
    <div className="wrap-anywhere">
      <p className="text-muted-foreground text-sm">
        {capitalized(which)} entry, by {personText(by?.name ?? null)}
      </p>
      <p className="font-medium">{[nameText(entry), verdictWords[verdict]].filter(Boolean).join(" · ")}</p>
      <p className="text-muted-foreground">{[address, voterId].filter(Boolean).join(" · ")}</p>
    </div>
  );
}
