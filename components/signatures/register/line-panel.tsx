import { X } from "lucide-react";
import type { ReactNode } from "react";
import { nameOf, whoText } from "@/components/signatures/register/line-text";
import { PanelHeading } from "@/components/signatures/register/register-keys";
import { VerdictMark } from "@/components/signatures/register/register-table";
import { ButtonLink } from "@/components/ui/link";
import type { Format } from "@/lib/format/format-of";
import { capitalized } from "@/lib/format/text";
import type { CampaignOfTeam } from "@/lib/ids";
import { placeText } from "@/lib/signatures/line-text";
import type { LineHistory } from "@/lib/signatures/register/register";

/** A line of the register in full, with its history. `children` are its actions. */
export function LinePanel({
  history: { line, changes },
  place,
  closeTo,
  format,
  children,
}: {
  history: LineHistory;
  place: CampaignOfTeam;
  /** The address without the panel. */
  closeTo: string;
  format: Format;
  children: ReactNode;
}) {
  const enteredAt = changes.find(({ kind }) => kind === "moved")?.from ?? line;
  const facts: [label: string, value: ReactNode][] = [
    ["Name", nameOf(line)],
    ["Address", [line.address, line.city, line.zip, line.county].filter(Boolean).join(", ")],
    ["Voter ID", line.voterId],
    ["Signed", line.signedOn && format.day(line.signedOn)],
    ["Circulator", line.circulator],
    ["Note", line.note],
    ["First signature", line.first && (line.first.ownTeam ? placeText(line.first) : "with another team")],
  ];
  return (
    <>
      <div className="flex items-start justify-between gap-2">
        <PanelHeading closeTo={closeTo}>{capitalized(placeText(line))}</PanelHeading>
        <ButtonLink href={closeTo} scroll={false} aria-label="Close line" variant="ghost" size="icon">
          <X aria-hidden />
        </ButtonLink>
      </div>
      <VerdictMark line={line} place={place} />
      <dl className="grid grid-cols-[6rem_minmax(0,1fr)] gap-x-3 gap-y-1">
        {facts.map(
          ([label, value]) =>
            value && (
              <div key={label} className="col-span-full grid grid-cols-subgrid">
                <dt className="text-muted-foreground text-sm">{label}</dt>
                <dd className="wrap-anywhere">{value}</dd>
              </div>
            ),
        )}
      </dl>
      <section aria-label="History" className="flex flex-col gap-1">
        <h3 className="font-semibold">History</h3>
        <ol className="flex flex-col gap-2">
          <Event at={format.dateTime(line.enteredAt)}>
            Entered by {whoText(line.enteredBy)}
            {enteredAt !== line && `, ${placeText(enteredAt)}`}
          </Event>
          {changes.map(({ kind, at, by, because, from, to }) => (
            <Event key={`${kind} ${at} ${placeText(to)}`} at={format.dateTime(at)}>
              {verbs[kind]} by {whoText(by)}
              {kind === "moved" && `, from ${placeText(from)} to ${placeText(to)}`}
              {because && <span className="block">“{because}”</span>}
            </Event>
          ))}
        </ol>
      </section>
      {children}
    </>
  );
}

const verbs = { undone: "Undone", removed: "Removed", restored: "Restored", moved: "Moved" };

function Event({ at, children }: { at: string; children: ReactNode }) {
  return (
    <li className="wrap-anywhere border-l-2 pl-3">
      <p>{children}</p>
      <p className="text-muted-foreground text-sm">{at}</p>
    </li>
  );
}
