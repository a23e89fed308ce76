"use client";

import { type ComponentProps, useEffect, useId, useState } from "react";
import { Label } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { readMarkedCampaign, saveMarkedCampaign } from "@/components/voters/saved-search";
import { VoterSearch } from "@/components/voters/voter-search";
import type { SignedCheck } from "@/lib/signatures/signed-mark";

/** A campaign in which it can be asked who has signed. */
export type MarkCampaign = SignedCheck & { name: string };

/** The voter search of a team, with a choice of the campaign whose signers are marked. */
export function TeamVoterSearch({
  campaigns,
  ...search
}: Omit<ComponentProps<typeof VoterSearch>, "signed" | "beside"> & { campaigns: readonly MarkCampaign[] }) {
  const id = useId();
  const [chosen, setChosen] = useState("");
  const signed = campaigns.find(({ campaign }) => campaign === chosen);
  useEffect(() => setChosen(readMarkedCampaign(search.savedAs)), [search.savedAs]);
  const choose = (campaign: string) => {
    setChosen(campaign);
    saveMarkedCampaign(search.savedAs, campaign);
  };

  return (
    <VoterSearch
      {...search}
      {...(signed && { signed })}
      beside={
        campaigns.length > 0 && (
          <div className="flex min-w-0 flex-col gap-1">
            <Label htmlFor={id} className="font-normal text-muted-foreground text-xs">
              Show who has signed
            </Label>
            <Select id={id} value={signed ? chosen : ""} onChange={(event) => choose(event.target.value)}>
              <option value="">No campaign</option>
              {campaigns.map(({ campaign, name }) => (
                <option key={campaign} value={campaign}>
                  {name}
                </option>
              ))}
            </Select>
          </div>
        )
      }
    />
  );
}
