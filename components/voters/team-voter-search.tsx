"use client";

import { type ComponentProps, useEffect, useId, useState } from "react";
import { readStored, writeStored } from "@/components/shell/storage";
import { Label } from "@/components/ui/field";
import { Choice } from "@/components/ui/select";
import { VoterSearch } from "@/components/voters/voter-search";
import type { SignedLookupWithEntry } from "@/lib/signatures/signed-mark";

/** A campaign whose signers can be marked. */
type MarkCampaign = SignedLookupWithEntry & { name: string };

type Props = Omit<ComponentProps<typeof VoterSearch>, "signedMarks" | "aside"> & { campaigns: readonly MarkCampaign[] };

/** The voter search of a team, with a choice of the campaign whose signers are marked. */
export function TeamVoterSearch({ campaigns, ...search }: Props) {
  const id = useId();
  const [chosen, setChosen] = useState("");
  const signed = campaigns.find(({ campaign }) => campaign === chosen);
  const signedKey = `signet:signed:${search.storageKey}`;
  useEffect(() => {
    const saved = readStored("localStorage", signedKey);
    setChosen(typeof saved === "string" ? saved : "");
  }, [signedKey]);
  const choose = (campaign: string) => {
    setChosen(campaign);
    writeStored("localStorage", signedKey, campaign);
  };
  const choice = campaigns.length > 0 && (
    <div className="flex min-w-0 flex-col gap-1">
      <Label htmlFor={id} className="font-normal text-muted-foreground text-xs">
        Show who signed
      </Label>
      <Choice
        id={id}
        value={signed ? chosen : ""}
        options={[["", "Off"], ...campaigns.map(({ campaign, name }) => [campaign, name] as const)]}
        onChoose={choose}
      />
    </div>
  );
  return <VoterSearch {...search} {...(signed && { signedMarks: signed })} aside={choice} />;
}
