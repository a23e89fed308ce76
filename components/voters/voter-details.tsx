import { Check, Copy } from "lucide-react";
import { type ReactNode, useEffect, useEffectEvent } from "react";
import { useFormat } from "@/components/shell/format-provider";
import { useCopy } from "@/components/shell/use-copy";
import { invalidateQueries } from "@/components/shell/use-query";
import { Button } from "@/components/ui/button";
import { Dialog, DialogFooter } from "@/components/ui/dialog";
import { ButtonLink, TextLink } from "@/components/ui/link";
import { fragmentOfNames } from "@/components/voters/saved-search";
import { signedKey, useSignedMarks } from "@/components/voters/use-signed-marks";
import { useHousehold, type VoterSource } from "@/components/voters/use-voter-search";
import { SignedBadge } from "@/components/voters/voter-badges";
import { registerPath } from "@/lib/signatures/register/register-path";
import { type SignedLookupWithEntry, type SignedMark, signedAtText } from "@/lib/signatures/signed-mark";
import { cn } from "@/lib/utils";
import type { Voter } from "@/lib/voters/read-hit";
import { type ExtraField, extraFields } from "@/lib/voters/voter-query";
import { addressText, cityAndZip, fullName } from "@/lib/voters/voter-text";

type Props = {
  voter: Voter;
  source: VoterSource;
  /** Null where it isn't checked who has signed. */
  signed: SignedLookupWithEntry | null;
  /** Opens someone of the household. */
  onOpen: (voter: Voter) => void;
  /** Opens the next or previous voter of the list. */
  onNext: (by: 1 | -1) => void;
  onClose: () => void;
};

type Line = [label: string, text: ReactNode];

/** A voter's data, who else lives there, and what can be done with the voter. */
export function VoterDetails({ voter, source, signed, onOpen, onNext, onClose }: Props) {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    onNext(event.key === "ArrowDown" ? 1 : -1);
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKeyDown(event);
    document.addEventListener("keydown", listen, true); // the dialog stops arrow keys
    return () => document.removeEventListener("keydown", listen, true);
  }, []);
  const mark = useSignedMarks(signed, [voter.voterId]).get(voter.voterId);
  const lines: Line[] = [
    ["Last name", voter.lastName],
    ["First name", voter.firstName],
    ["Middle name", voter.middleName],
    ["Address", addressText(voter)],
    ["City", voter.city],
    ["ZIP code", voter.zip],
    ["County", voter.county],
  ];
  const extrasOf = (fields: readonly ExtraField[]) =>
    fields.flatMap((field): Line[] => (voter[field] ? [[extraFields[field], voter[field]]] : []));
  lines.push(...extrasOf(["birthYear", "status"]));
  const afterHousehold = extrasOf(["party", "district", "precinct"]);
  if (signed)
    lines.unshift(["Signed", <SignedText key="signed" mark={mark} signed={signed} voterId={voter.voterId} />]);
  const id = useCopy(voter.voterId);
  const all = useCopy(
    [fullName(voter), addressText(voter), cityAndZip(voter), voter.voterId].filter(Boolean).join("\n"),
  );
  return (
    <Dialog title={fullName(voter)} onClose={onClose} closeOnOutsideClick className="w-105">
      <div className="overflow-y-auto px-4 py-3">
        <Lines lines={lines} />
        <Household voter={voter} source={source} signed={signed} onOpen={onOpen} />
        {afterHousehold.length > 0 && <Lines lines={afterHousehold} className="mt-3 border-t pt-3" />}
      </div>
      <div className="grid grid-cols-[7rem_minmax(0,1fr)_auto] items-center border-t px-4 py-2">
        <p className="text-muted-foreground">Voter ID</p>
        <p className="wrap-anywhere select-all">{voter.voterId}</p>
        <Button variant="outline" onClick={id.copy} aria-label="Copy voter ID">
          {id.copied ? <Check aria-hidden /> : <Copy aria-hidden />}
          Copy
        </Button>
        <CopyStatus copied={id.copied} className="col-span-full" />
      </div>
      <DialogFooter>
        <CopyStatus copied={all.copied} className="mr-auto self-center" />
        <Button variant="outline" onClick={all.copy}>
          {all.copied ? <Check aria-hidden /> : <Copy aria-hidden />}
          Copy name and address
        </Button>
        {signed?.entryPath && mark?.state !== "signed" && (
          <ButtonLink href={`${signed.entryPath}${fragmentOfNames(voter)}`}>Enter this voter</ButtonLink>
        )}
      </DialogFooter>
    </Dialog>
  );
}

function Lines({ lines, className }: { lines: Line[]; className?: string }) {
  return (
    <dl className={cn("grid grid-cols-[7rem_minmax(0,1fr)] gap-y-2", className)}>
      {lines.map(([label, text]) => (
        <div key={label} className="col-span-2 grid grid-cols-subgrid">
          <dt className="text-muted-foreground">{label}</dt>
          <dd className="wrap-anywhere">{text || <span className="text-muted-foreground">Not given</span>}</dd>
        </div>
      ))}
    </dl>
  );
}

function CopyStatus({ copied, className }: { copied: boolean | null; className: string }) {
  return (
    <p role="status" className={cn("text-muted-foreground text-sm empty:hidden", className)}>
      {copied === false
        ? "Your browser blocked copying. Select the text and copy it yourself."
        : copied === true && "Copied."}
    </p>
  );
}

function Household({ voter, source, signed, onOpen }: Omit<Props, "onNext" | "onClose">) {
  const { others, isPending, isError, isPartial, again } = useHousehold(source, voter);
  const marks = useSignedMarks(
    signed,
    others.map(({ voterId }) => voterId),
  );
  return (
    <section aria-label="Household" className="mt-3 min-h-16 border-t pt-3">
      <h3 className="text-muted-foreground">Also at this address</h3>
      {others.length === 0 && (
        <p className="py-1">{isPending ? "Searching…" : isError ? "Couldn't load who lives here." : "No one"}</p>
      )}
      {isError && (
        <TryAgain
          onClick={() => {
            again();
            checkSigned();
          }}
        />
      )}
      <ul>
        {others.map((other) => (
          <li key={other.voterId} className="flex items-center justify-between gap-2">
            <Button variant="ghost" className="-mx-2 min-w-0 shrink px-2!" onClick={() => onOpen(other)}>
              <span className="truncate">
                {fullName(other)}
                {other.birthYear && <span className="font-normal text-muted-foreground">, born {other.birthYear}</span>}
              </span>
            </Button>
            {signed && <SignedBadge mark={marks.get(other.voterId)} />}
          </li>
        ))}
      </ul>
      {isPartial && (
        <p className="text-muted-foreground text-sm">Only the first 100 voters at this address were checked.</p>
      )}
    </section>
  );
}

const checkSigned = () => invalidateQueries(signedKey);

function TryAgain({ onClick }: { onClick: () => void }) {
  return (
    <Button variant="outline" onClick={onClick}>
      Try again
    </Button>
  );
}

type Signed = { mark: SignedMark | undefined; signed: SignedLookupWithEntry; voterId: string };

// For those who may see when and where, it leads to the line.
function SignedText({ mark, signed: { campaign, detailsTeamId }, voterId }: Signed) {
  const format = useFormat();
  if (!mark) return "Checking…";
  if (mark.state === "unchecked")
    return (
      <>
        Couldn't check <TryAgain onClick={checkSigned} />
      </>
    );
  if (mark.state === "not-signed") return "No";
  if (!mark.at) return "Yes";
  const text = `Yes: ${signedAtText(mark.at, format)}`;
  if (detailsTeamId === null || !mark.at.ownTeam) return text;
  const href = registerPath({ team: detailsTeamId, campaign }, { voter: voterId });
  return <TextLink href={href}>{text}</TextLink>;
}
