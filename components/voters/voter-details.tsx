import { Check, Copy } from "lucide-react";
import { useFormat } from "@/components/shell/format-provider";
import { useCopy } from "@/components/shell/use-copy";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import type { Format } from "@/lib/format/format-of";
import { type SignedMark, type SignedMarks, signedAtText } from "@/lib/signatures/signed-mark";
import type { Voter } from "@/lib/voters/read-hit";
import { extraFieldNames, extraFields } from "@/lib/voters/voter-query";
import { addressText, fullName } from "@/lib/voters/voter-text";

/** A voter's data. `marks` says who has signed; null where that isn't checked. */
export function VoterDetails({
  voter,
  marks,
  onClose,
}: {
  voter: Voter;
  marks: SignedMarks | null;
  onClose: () => void;
}) {
  const format = useFormat();
  const lines: [label: string, text: string | undefined][] = [
    ["Last name", voter.lastName],
    ["First name", voter.firstName],
    ["Middle name", voter.middleName],
    ["Address", addressText(voter)],
    ["City", voter.city],
    ["Zip", voter.zip],
    ["County", voter.county],
  ];
  for (const field of extraFieldNames) if (voter[field]) lines.push([extraFields[field], voter[field]]);
  if (marks) lines.push(["Signed", signedText(marks.get(voter.voterId), format)]);
  return (
    <Dialog title={fullName(voter)} onClose={onClose} closeOnOutsideClick className="w-105">
      <dl className="grid grid-cols-[7rem_minmax(0,1fr)] gap-y-2 overflow-y-auto px-4 py-3">
        {lines.map(([label, text]) => (
          <div key={label} className="col-span-2 grid grid-cols-subgrid">
            <dt className="text-muted-foreground">{label}</dt>
            <dd className="wrap-anywhere">{text || <span className="text-muted-foreground">not given</span>}</dd>
          </div>
        ))}
      </dl>
      <VoterId voterId={voter.voterId} />
    </Dialog>
  );
}

function signedText(mark: SignedMark | undefined, format: Format) {
  if (!mark) return "checking…";
  if (mark.state === "unchecked") return "couldn't check";
  if (mark.state === "not-signed") return "no";
  return mark.at ? `yes: ${signedAtText(mark.at, format)}` : "yes";
}

function VoterId({ voterId }: { voterId: string }) {
  const { copied, copy } = useCopy(voterId);
  return (
    <div className="grid grid-cols-[7rem_minmax(0,1fr)_auto] items-center border-t py-2 pr-2 pl-4">
      <p className="text-muted-foreground">Voter ID</p>
      <p className="wrap-anywhere select-all">{voterId}</p>
      <Button variant="outline" onClick={copy} aria-label="Copy voter ID">
        {copied ? <Check aria-hidden /> : <Copy aria-hidden />}
        Copy
      </Button>
      <p role="status" className="col-span-full text-muted-foreground text-sm">
        {copied === true && "Copied."}
        {copied === false && "Your browser blocked copying. Select the ID and copy it yourself."}
      </p>
    </div>
  );
}
