import { readState } from "@/components/signatures/entry/use-lines";
import type { Format } from "@/lib/format/format-of";
import { withoutSeparators } from "@/lib/forms/read-number";
import type { CampaignOfTeam } from "@/lib/ids";
import { expectedLines } from "@/lib/signatures/entry/shown-lines";

/** What to ask before a line starts a sheet or moves beyond the end of one; null if it doesn't, or if that can't be read. */
export async function moveQuestion(place: CampaignOfTeam, sent: FormData, { count }: Format): Promise<string | null> {
  const [number, line] = ["sheet", "line"].map((name) => Number(withoutSeparators(String(sent.get(name)))));
  const state = number && line ? await readState(place, number) : null;
  if (!line || !state) return null;
  if (!state.sheet) return `There is no sheet ${number}. Press “Move line” again to start it.`;
  const lines = new Map(state.sheet.entered.map(({ line, verdict }) => [line, { state: verdict }]));
  const lineCount = expectedLines(state.sheet.signatureCount, { lines, linesPerSheet: state.linesPerSheet });
  if (line <= lineCount) return null;
  return `Sheet ${number} has ${count(lineCount, "line")}. Press “Move line” again to use line ${line}.`;
}
