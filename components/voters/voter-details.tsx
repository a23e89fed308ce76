"use client";

import { Check, Copy, X } from "lucide-react";
import { useEffect, useId, useRef, useState } from "react";
import { useFormat } from "@/components/shell/format-provider";
import { Button } from "@/components/ui/button";
import type { Format } from "@/lib/format/format-of";
import { type SignedMark, signedAtText } from "@/lib/signatures/signed-mark";
import type { Voter } from "@/lib/voters/read-hit";
import { extraFieldNames, extraFields } from "@/lib/voters/voter-query";
import { addressText, fullName } from "@/lib/voters/voter-text";

/** All that is known of a voter, in a dialog; on a phone at the bottom, under the thumb. */
export function VoterDetails({
  voter,
  signed,
  onClose,
}: {
  voter: Voter;
  signed?: { mark: SignedMark | undefined };
  onClose: () => void;
}) {
  const format = useFormat();
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);

  const lines: [label: string, text: string | undefined][] = [
    ["Last name", voter.lastName],
    ["First name", voter.firstName],
    ["Middle name", voter.middleName],
    ["Address", addressText(voter)],
    ["City", voter.city],
    ["Zip", voter.zip],
    ["County", voter.county],
    ...extraFieldNames
      .filter((field) => voter[field])
      .map((field): [string, string | undefined] => [extraFields[field], voter[field]]),
    ...(signed ? [["Signed", signedText(signed, format)] satisfies [string, string]] : []),
  ];

  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      closedby="any"
      onClose={onClose}
      className="m-auto w-105 max-w-[calc(100vw-2rem)] rounded-md border bg-popover shadow-popover backdrop:bg-[oklch(0_0_0/0.4)] max-md:mx-0 max-md:mb-0 max-md:w-full max-md:max-w-full max-md:rounded-b-none max-md:border-x-0 max-md:border-b-0 max-md:pb-[env(safe-area-inset-bottom)]"
    >
      <div className="flex items-start justify-between gap-2 border-b py-2 pr-2 pl-4">
        <h2 id={id} className="wrap-anywhere min-w-0 py-1 font-semibold text-lg">
          {fullName(voter)}
        </h2>
        <Button variant="ghost" size="icon" aria-label="Close" onClick={() => dialog.current?.close()}>
          <X aria-hidden />
        </Button>
      </div>
      <dl className="grid grid-cols-[7rem_minmax(0,1fr)] gap-y-2 px-4 py-3">
        {lines.map(([label, text]) => (
          <div key={label} className="col-span-2 grid grid-cols-subgrid">
            <dt className="text-muted-foreground">{label}</dt>
            <dd className="wrap-anywhere">{text || <span className="text-muted-foreground">not given</span>}</dd>
          </div>
        ))}
      </dl>
      <VoterId voterId={voter.voterId} />
    </dialog>
  );
}

function signedText({ mark }: { mark: SignedMark | undefined }, format: Format) {
  if (!mark) return "checking…";
  if (mark.state === "unchecked") return "couldn't check";
  if (mark.state === "not-signed") return "no";
  return mark.at ? `yes: ${signedAtText(mark.at, format)}` : "yes";
}

function VoterId({ voterId }: { voterId: string }) {
  const [copied, setCopied] = useState<boolean | null>(null);

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(voterId);
      setCopied(true);
    } catch {
      setCopied(false); // blocked, or the connection isn't secure
    }
  };

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
