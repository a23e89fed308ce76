"use client";

import Link from "next/link";
import { useState } from "react";
import { useFormat } from "@/components/shell/format-provider";
import { deletedAccountText } from "@/components/signatures/register/line-text";
import { registerPath } from "@/components/signatures/register/register-path";
import { Badge } from "@/components/ui/badge";
import { Button, buttonVariants } from "@/components/ui/button";
import type { CampaignOfTeam } from "@/lib/ids";
import type { Sheet } from "@/lib/signatures/line";
import { cn } from "@/lib/utils";

/** The open sheets, who works on each and who keyed it. Those who enter can resume and close them. */
export function SheetList({
  sheets,
  place,
  current,
  entering,
  onSee,
}: {
  sheets: Sheet[];
  place: CampaignOfTeam;
  current: number | null;
  entering?: {
    onStart: (number: number | null) => Promise<string | null>;
    onCloseSheet: (number: number) => void;
  };
  /** Hears that the lines of a sheet are about to be shown. */
  onSee?: () => void;
}) {
  const { count, number, shortDay, list } = useFormat();
  const keyedBy = (clerks: Sheet["clerks"]) =>
    list(clerks.map(({ name, mine, lines }) => `${mine ? "you" : (name ?? deletedAccountText)} (${number(lines)})`));
  const [problem, setProblem] = useState<string | null>(null);
  if (sheets.length === 0) {
    return (
      <p className="px-4 py-4 text-muted-foreground">
        {entering ? "No sheet is open. Start one above." : "No sheet is open at the moment."}
      </p>
    );
  }
  return (
    <>
      <p role="alert" className="px-4 text-destructive text-sm">
        {problem}
      </p>
      <ul aria-label="Open sheets">
        {sheets.map((sheet) => (
          <li
            key={sheet.number}
            className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b px-4 py-1.5 last:border-b-0"
          >
            <div className="min-w-0 flex-1 basis-48">
              <p className="flex items-center gap-2 font-medium">
                Sheet {sheet.number}
                {sheet.number === current && <Badge tone="done">you are here</Badge>}
              </p>
              <p className="wrap-anywhere text-muted-foreground text-sm">
                {[
                  count(sheet.lines, "line") +
                    (sheet.signatureCount === null ? "" : ` of ${number(sheet.signatureCount)}`),
                  sheet.circulator && `collected by ${sheet.circulator}`,
                  `open with ${sheet.mine ? "you" : (sheet.openedBy ?? "nobody")} since ${shortDay(sheet.openedAt)}`,
                  sheet.clerks.length > 0 && `keyed by ${keyedBy(sheet.clerks)}`,
                ]
                  .filter(Boolean)
                  .join(" · ")}
              </p>
            </div>
            <div className="flex gap-2">
              <Link
                href={registerPath(place, { sheet: sheet.number, sort: "sheet" })}
                prefetch={false}
                onClick={onSee}
                className={cn(buttonVariants({ variant: "ghost" }))}
              >
                See lines<span className="sr-only"> of sheet {sheet.number}</span>
              </Link>
              {entering && (
                <>
                  <Button variant="outline" onClick={() => entering.onCloseSheet(sheet.number)}>
                    Close<span className="sr-only"> sheet {sheet.number}</span>
                  </Button>
                  {sheet.number !== current && (
                    <Button variant="outline" onClick={async () => setProblem(await entering.onStart(sheet.number))}>
                      Resume<span className="sr-only"> sheet {sheet.number}</span>
                    </Button>
                  )}
                </>
              )}
            </div>
          </li>
        ))}
      </ul>
    </>
  );
}
