"use client";

import { X } from "lucide-react";
import { useEffect, useId, useRef } from "react";
import { SheetList } from "@/components/signatures/sheet-list";
import { StartSheet } from "@/components/signatures/start-sheet";
import { Button } from "@/components/ui/button";
import type { CampaignOfTeam } from "@/lib/ids";
import type { Sheet } from "@/lib/signatures/line-outcome";

/** The sheets that are open, to start, resume and close them. */
export function SheetsDialog({
  sheets,
  current,
  place,
  onStart,
  onCloseSheet,
  onDone,
}: {
  sheets: Sheet[];
  /** The number of the sheet that is keyed. */
  current: number | null;
  place: CampaignOfTeam;
  onStart: (number: number | null) => Promise<string | null>;
  onCloseSheet: (number: number) => void;
  onDone: () => void;
}) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);

  const start = async (number: number | null) => {
    const problem = await onStart(number);
    if (problem === null) dialog.current?.close();
    return problem;
  };

  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      closedby="any"
      onClose={onDone}
      className="m-auto w-160 max-w-[calc(100vw-2rem)] rounded-md border bg-popover shadow-popover backdrop:bg-[oklch(0_0_0/0.4)]"
    >
      <div className="flex items-center justify-between gap-2 border-b py-2 pr-2 pl-4">
        <h2 id={id} className="font-semibold text-lg">
          Sheets
        </h2>
        <Button variant="ghost" size="icon" aria-label="Close" onClick={() => dialog.current?.close()}>
          <X aria-hidden />
        </Button>
      </div>
      <div className="border-b px-4 py-3">
        <StartSheet autoFocus onStart={start} />
      </div>
      <SheetList
        sheets={sheets}
        place={place}
        current={current}
        entering={{ onStart: start, onCloseSheet }}
        onSee={() => dialog.current?.close()}
      />
    </dialog>
  );
}
