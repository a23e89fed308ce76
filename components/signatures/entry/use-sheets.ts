import { useRef, useState } from "react";
import { useFormat } from "@/components/shell/format-provider";
import { readState, type useLines } from "@/components/signatures/entry/use-lines";
import { capitalized } from "@/lib/format/text";
import type { CampaignOfTeam } from "@/lib/ids";
import type { SheetDetails } from "@/lib/signatures/changes";
import { type EntryForm, hasNames } from "@/lib/signatures/entry/entry-form";
import { type SheetQuestion, sheetQuestion } from "@/lib/signatures/entry/sheet-question";
import { lineToResume } from "@/lib/signatures/entry/shown-lines";
import type { Sheet } from "@/lib/signatures/line";
import { placeText } from "@/lib/signatures/line-text";

type Begin = (sheet: number | null, line: number | null, text: string, isRenumbered?: boolean) => void;

/** Starting, resuming and closing sheets from the entry screen. */
export function useSheets({
  place,
  circulators,
  form,
  lines: { state, own, outbox, refresh },
  closedAt,
  onBegin,
  onClosed,
  onReopened,
  say,
}: {
  place: CampaignOfTeam;
  circulators: readonly string[];
  form: EntryForm;
  lines: ReturnType<typeof useLines>;
  /** When someone has closed the current sheet; null while it is open. */
  closedAt: string | null;
  /** Moves the form to a sheet, or away from the last one. */
  onBegin: Begin;
  onClosed: () => void;
  onReopened: (closedAt: string) => void;
  say: (text: string) => void;
}) {
  const format = useFormat();
  const [closed, setClosed] = useState<number[]>([]); // sheets that the last response may still list as open
  const [left, setLeft] = useState<Sheet | null>(null);
  const suggested = useRef<number>(null); // the next number, as last filled in

  const begin: Begin = (sheet, line, text, isRenumbered) => {
    setClosed((numbers) => numbers.filter((number) => number !== sheet));
    onBegin(sheet, line, text, isRenumbered);
  };
  const resume = (sheet: number, line: number | null) => begin(sheet, line, capitalized(placeText({ sheet, line })));
  const leave = (number: number, next: number | null, text: string) => {
    setLeft(state.sheet);
    if (next === null) onClosed();
    begin(next, next === null ? 1 : form.line, text, next !== null);
    setClosed((numbers) => [...numbers, number]);
  };
  const askFirst = async (number: number, details?: SheetDetails, confirm?: string) => {
    const sheet = (await readState(place, number))?.sheet;
    return sheetQuestion(
      {
        number,
        sheet: sheet?.number === number ? sheet : null,
        isSuggested: confirm === undefined && suggested.current === number,
        others: [...state.sheets, ...own.live]
          .flatMap((one) => ("number" in one ? one.number : (one.sheet ?? [])))
          .concat(state.nextSheet > 1 ? state.nextSheet - 1 : []), // the highest, which may be closed
        linesPerSheet: state.linesPerSheet,
        startsOn: state.startsOn,
        collectedOn: details?.collectedOn,
        signatureCount: details?.signatureCount,
        circulator: details?.circulator,
        circulators,
        ...(confirm && { confirm }),
      },
      format,
    );
  };

  return {
    /** The sheet that was closed last on this screen. */
    left,
    /** Null until it is read. */
    current: state.sheet?.number === form.sheet ? state.sheet : null,
    open: state.sheets.filter(({ number }) => !closed.includes(number)),
    resume,
    /** What to ask before the sheet gets this number or these details, or null. */
    askBeforeSaving: async (number: number, details: SheetDetails | undefined, button: string) =>
      (await askFirst(number, details, `Press “${button}” again to confirm.`))?.text ?? null,
    /** The next number, as far as this device knows. */
    next: async () => {
      const { nextSheet } = (await readState(place)) ?? state;
      suggested.current = Math.max(nextSheet, ...own.live.map(({ sheet }) => (sheet ?? 0) + 1));
      return suggested.current;
    },
    /**
     * Starts a sheet, or resumes it, at `line` or its first empty one. Returns what went wrong, what to ask first unless
     * that was `asked`, or null.
     */
    start: async (
      number: number,
      details?: SheetDetails,
      { asked, line }: { asked?: Pick<SheetQuestion, "reopens"> | undefined; line?: number | undefined } = {},
    ): Promise<string | SheetQuestion | null> => {
      // What is typed belongs to the sheet on the screen.
      if (form.sheet !== null && form.sheet !== number && hasNames(form)) return "Enter this line first, or clear it.";
      const question = asked ? null : await askFirst(number, details);
      if (question) return question;
      const opening = { kind: "open-sheet" as const, sheet: number, paper: details, reopens: asked?.reopens };
      const started = await outbox.openSheet(opening);
      if ("error" in started) return started.error;
      if (state.sheet?.number === number && state.sheet.closedAt) onReopened(state.sheet.closedAt);
      if (!("sheet" in started)) outbox.record(opening);
      refresh();
      // What is typed stays, and Enter saves it.
      if (closedAt !== null && number === form.sheet && line === undefined) say(`Sheet ${number} is open again.`);
      else {
        const sheet = "sheet" in started ? started.sheet : { number, nextLine: 1, lines: 0, signatureCount: null };
        resume(number, line ?? lineToResume(sheet, { own: own.live, linesPerSheet: state.linesPerSheet }));
      }
      return null;
    },
    close: (number: number) => {
      outbox.record({ kind: "close-sheet", sheet: number });
      leave(number, null, `Sheet ${number} is closed.`);
    },
    /** Call it after the current sheet was saved, renumbered or deleted (null). */
    changed: (number: number | null, text: string) => {
      if (number === form.sheet || form.sheet === null) say(text);
      else leave(form.sheet, number, text);
      refresh();
    },
  };
}
