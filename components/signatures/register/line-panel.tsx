import type { ReactNode } from "react";
import { formatLineName, lineLinkId, whoText } from "@/components/signatures/register/line-text";
import { PanelHead } from "@/components/signatures/register/register-keys";
import { VerdictMark } from "@/components/signatures/register/register-table";
import { TextLink } from "@/components/ui/link";
import type { Format } from "@/lib/format/format-of";
import { capitalized } from "@/lib/format/text";
import type { CampaignOfTeam } from "@/lib/ids";
import type { Line } from "@/lib/signatures/line";
import { nameText, placeText, rightEntryTexts } from "@/lib/signatures/line-text";
import type { LineHistory } from "@/lib/signatures/register/register";
import { registerPath } from "@/lib/signatures/register/register-path";
import { verdictText, verdictWords } from "@/lib/signatures/verdicts";

/** A line of the register in full, with its actions, `children`, and its history. */
export function LinePanel({
  history: { line, replacedBy, others, changes, checks },
  place,
  hrefOf,
  around: [previous, next],
  format,
  children,
}: {
  history: LineHistory;
  place: CampaignOfTeam;
  /** The address of the register with another line open, or without the panel. */
  hrefOf: (line: string | undefined) => string;
  /** The addresses of the lines around it. */
  around: [previous: string | null, next: string | null];
  format: Format;
  children: ReactNode;
}) {
  const asEntered = changes.find(({ was }) => was)?.was ?? line;
  const places = changes.filter(({ kind }) => kind === "moved" || kind === "corrected").map(({ from }) => from);
  const [enteredAt = line] = places;
  const changed = changes.map(({ kind, at, by, reason, from, to, was, became }) => ({
    key: `${kind} ${at} ${placeText(to)}`,
    at,
    content: (
      <>
        {verbs[at === line.removedAt && replacedBy !== null ? "corrected" : kind]} by {whoText(by)}
        {moveText(
          from,
          kind === "moved" ? to : kind === "corrected" ? (places[places.indexOf(from) + 1] ?? line) : from,
        )}
        {was &&
          became &&
          differences(was, became, format).map((text) => (
            <span key={text} className="block">
              {text}
            </span>
          ))}
        {reason && <span className="block">“{reason}”</span>}
      </>
    ),
  }));
  const checked = checks.flatMap(({ at, by, differs, right, settledAt, settledBy, ...second }) => [
    {
      key: `entered ${at}`,
      at,
      content: (
        <>
          Entered again for the quality check by {whoText(by)}: {differs ? "differs" : "the same"}
          {differs && (
            <span className="block">
              {[nameText(second), verdictText(second), second.voterId].filter(Boolean).join(" · ")}
            </span>
          )}
        </>
      ),
    },
    ...(right && settledAt
      ? [
          {
            key: `settled ${settledAt}`,
            at: settledAt,
            content: `Difference settled by ${whoText(settledBy)}: ${rightEntryTexts[right]}`,
          },
        ]
      : []),
  ]);
  const events = [...changed, ...checked].toSorted((a, b) => Number(a.at > b.at) - Number(a.at < b.at)).toReversed();
  const isFreed = line.verdict === "duplicate" && line.first === null && line.removedAt === null;
  const facts: [label: string, value: ReactNode][] = [
    ["Name", formatLineName(line)],
    ["Address", addressText(line)],
    ["Voter ID", line.voterId],
    ["Signed", line.signedOn && format.day(line.signedOn)],
    ["Circulator", line.circulator],
    ["Note", line.note],
    [
      "Sheet",
      line.sheet !== null && (
        <TextLink href={registerPath(place, { sheet: line.sheet, sort: "sheet", line: line.id })}>
          View sheet {line.sheet}
        </TextLink>
      ),
    ],
    ["First signature", line.first && (line.first.ownTeam ? placeText(line.first) : "with another team")],
  ];
  return (
    <>
      <PanelHead linkId={lineLinkId(line.id)} closeTo={hrefOf(undefined)} previous={previous} next={next}>
        {capitalized(placeText(line))}
      </PanelHead>
      <VerdictMark line={line} place={place} />
      {isFreed && line.voterId && (
        <p className="text-sm text-warning">
          This voter has no valid line now. If this signature is good, correct its status to Valid.{" "}
          <TextLink href={registerPath(place, { voter: line.voterId, state: "all" })}>View the voter's lines</TextLink>
        </p>
      )}
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
      {children}
      <section aria-label="History" className="flex flex-col gap-1">
        <h3 className="font-semibold">History</h3>
        <ol className="flex flex-col gap-2">
          {events.map(({ key, at, content }) => (
            <Event key={key} at={format.dateTime(at)}>
              {content}
            </Event>
          ))}
          <Event at={format.dateTime(asEntered.enteredAt)}>
            Entered by {whoText(line.enteredBy)}
            {placeText(enteredAt) !== placeText(line) && `, ${placeText(enteredAt)}`}
          </Event>
        </ol>
        {others.map((other) => (
          <p key={other.id}>
            {other.removedAt ? "Earlier on this line: " : "On this line now: "}
            <TextLink href={hrefOf(other.id)}>
              {[formatLineName(other), verdictWords[other.verdict]].filter(Boolean).join(" – ")}
            </TextLink>
            {other.removedAt && `, removed by ${whoText(other.removedBy)} on ${format.dateTime(other.removedAt)}`}
          </p>
        ))}
        {replacedBy && (
          <p>
            This is an earlier version. <TextLink href={hrefOf(replacedBy)}>View the current one</TextLink>
          </p>
        )}
      </section>
    </>
  );
}

type Place = Parameters<typeof placeText>[0];
const moveText = (from: Place, to: Place) =>
  placeText(from) === placeText(to) ? "" : `, from ${placeText(from)} to ${placeText(to)}`;

const verbs = { corrected: "Corrected", undone: "Removed", removed: "Removed", restored: "Restored", moved: "Moved" };

/** `1204 Oak St, Kent 98030, King County` */
function addressText({ address, city, zip, county }: Pick<Line, "address" | "city" | "zip" | "county">) {
  const cityAndZip = [city, zip].filter(Boolean).join(" ");
  return [address, cityAndZip, county && `${county} County`].filter(Boolean).join(", ");
}

type Shown = Omit<Line, "mine" | "enteredBy">;

const shownFields: [label: string, text: (line: Shown, format: Format) => string | null][] = [
  ["Status", ({ verdict }) => capitalized(verdictWords[verdict])],
  ["Name", nameText],
  ["Voter ID", ({ voterId }) => voterId],
  ["Address", addressText],
  ["Signed", ({ signedOn }, { day }) => signedOn && day(signedOn)],
  ["Note", ({ note }) => note],
];

/** What a correction changed: `Status: Illegible → Valid`. */
function differences(was: Shown, became: Shown, format: Format) {
  return shownFields.flatMap(([label, text]) => {
    const [before, after] = [was, became].map((line) => text(line, format) || "not given");
    return before === after ? [] : `${label}: ${before} → ${after}`;
  });
}

function Event({ at, children }: { at: string; children: ReactNode }) {
  return (
    <li className="wrap-anywhere border-l-2 pl-3">
      <p>{children}</p>
      <p className="text-muted-foreground text-sm">{at}</p>
    </li>
  );
}
