"use client";

import { type ComponentProps, useEffect, useId, useState } from "react";
import { Label } from "@/components/ui/label";
import { Select } from "@/components/ui/select";
import { VoterSearch } from "@/components/voters/voter-search";
import type { SignedCheck } from "@/lib/signatures/signed-mark";

/** A campaign in which it can be asked who has signed. */
export type MarkCampaign = SignedCheck & { name: string };

const keyOf = (keptAs: string) => `signet:signed:${keptAs}`;

/** The voter search of a team: she chooses the campaign whose signers are marked, which is kept on the device. */
export function TeamVoterSearch({
  campaigns,
  ...search
}: Omit<ComponentProps<typeof VoterSearch>, "signed" | "beside"> & { campaigns: readonly MarkCampaign[] }) {
  const id = useId();
  const [chosen, setChosen] = useState("");
  const signed = campaigns.find(({ campaign }) => campaign === chosen);

  useEffect(() => {
    try {
      setChosen(localStorage.getItem(keyOf(search.keptAs)) ?? "");
    } catch {
      // Storage is switched off.
    }
  }, [search.keptAs]);

  const choose = (campaign: string) => {
    setChosen(campaign);
    try {
      localStorage.setItem(keyOf(search.keptAs), campaign);
    } catch {
      // Storage is switched off or full: it lasts as long as the page.
    }
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
              <option value="">none</option>
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
