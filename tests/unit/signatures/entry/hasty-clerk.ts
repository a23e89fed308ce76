import fc from "fast-check";
import type { KeyPress } from "@/lib/signatures/entry/entry-keys";
import type { Voter } from "@/lib/voters/read-hit";

/** The voters of the file that the clerk types names of: namesakes, names that begin alike, one of each kind who signed. */
const file: Voter[] = [
  ["Smith", "Ada", "12"],
  ["Smith", "Ada", "12"],
  ["Smith", "Ada", "340"],
  ["Smith", "Adam", "7"],
  ["Smithson", "Lee", "88"],
  ["Rivera", "Ana", "5"],
  ["Underwood", "Ida", "61"],
  ["Nguyen", "Linh", "9"],
  ["Smyth", "Ada", "12"],
  ["Smythe", "Lee", "88"],
].map(([lastName, firstName, houseNumber], index) => ({ voterId: `WA-${index}`, lastName, firstName, houseNumber }));
export const signed = new Set(["WA-3", "WA-5", "WA-6"]);

export const matching = (texts: { lastName: string; firstName: string; houseNumber: string }) =>
  file.filter(
    (voter) =>
      voter.lastName?.toLowerCase().startsWith(texts.lastName.trim().toLowerCase()) &&
      voter.firstName?.toLowerCase().startsWith(texts.firstName.trim().toLowerCase()) &&
      (texts.houseNumber.trim() === "" || voter.houseNumber === texts.houseNumber.trim()),
  );

/** Those whom a search misses and who may be meant, whatever the search makes of it: they begin alike. */
export const similarTo = (texts: Parameters<typeof matching>[0]) => {
  const found = matching(texts);
  const letter = texts.lastName.trim().at(0)?.toLowerCase();
  return file
    .filter((voter) => !found.includes(voter) && (letter === "z" || voter.lastName?.toLowerCase().at(0) === letter))
    .slice(0, 2)
    .map((voter): Voter => ({ ...voter, match: "similar" }));
};

/** What a clerk does, one thing after another, in the hurry of a long evening: she does not wait for anything. */
export type Act =
  | { does: "press"; key: KeyPress }
  /** What is under way arrives: the voters, and whether they have signed. */
  | { does: "see" }
  /** Those who are similar to them arrive, whenever that is. */
  | { does: "hear" };

/** A screen as she has it before her: what she can do to it, see on it, and what it has stored. */
export type Screen = {
  act: (act: Act) => void | Promise<void>;
  /**
   * The voters that stand there, how many match, whether they are those of the texts, which one is marked; and below them
   * those who are similar.
   */
  view: () => {
    shown: string[];
    total: number;
    settled: boolean;
    marked: string | null;
    exact: string | null;
    similar: string[];
  };
  stored: () => { verdict: string; voterId: string | null; line: number }[];
  /** What the screen says that Enter does: the verdict that it stores, and of whom. */
  said?: () => { verdict: string; voterId: string | null } | null;
};

const base: KeyPress = {
  ...{ key: "", code: "", keyCode: 0, ctrlKey: false, shiftKey: false, altKey: false, metaKey: false },
  ...{ repeat: false, isComposing: false },
};
const press = (key: string, more: Partial<KeyPress> = {}): Act => ({ does: "press", key: { ...base, key, ...more } });
const typing = (text: string) => [...text].map((letter) => press(letter, { code: `Key${letter.toUpperCase()}` }));
const see: Act = { does: "see" };
const hear: Act = { does: "hear" };
const chord = (digit: number) =>
  press("!@#$%^&*("[digit - 1] ?? "", { code: `Digit${digit}`, ctrlKey: true, shiftKey: true });

/** Writes text where it is pressed: nothing may be stored by it. */
export const writes = ({ key, ctrlKey, altKey, metaKey }: KeyPress) =>
  [...key].length === 1 && !ctrlKey && !altKey && !metaKey;

const names = fc.constantFrom("smi", "smith", "smithson", "rivera", "Rivera", "under", "nguyen", "zz");
const bursts = fc.oneof(
  { weight: 4, arbitrary: names.map((name) => [press("Escape", { code: "Escape" }), ...typing(name), see, see]) },
  { weight: 2, arbitrary: names.map(typing) },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom("Enter", "Enter", "Enter", "Tab", "ArrowDown", "ArrowUp", "Escape", "PageDown", "PageUp")
      .map((key) => [press(key, { code: key })]),
  },
  { weight: 3, arbitrary: fc.constant([see]) },
  { weight: 3, arbitrary: fc.constantFrom([hear], [hear, see]) },
  {
    weight: 1,
    arbitrary: fc.constantFrom("ada", "12", "340", "d", "n", "i", "r", "t", "e", "o", "u", "s", " ").map(typing),
  },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 9 }).map((digit) => [chord(digit)]) },
  { weight: 1, arbitrary: fc.constant([press("Enter", { code: "Enter", ctrlKey: true, shiftKey: true })]) },
  { weight: 1, arbitrary: fc.constant([press("Enter", { code: "Enter", repeat: true })]) },
);

export const evenings = fc.array(bursts, { minLength: 5, maxLength: 25 }).map((all) => all.flat());

/**
 * Lets a clerk act on a screen, and throws for what it stores that she cannot have meant: a line by a key that writes text,
 * or by one that is held down; a voter who was not marked by hand, is not the only one and not the only one of exactly this
 * name and house number; one who is similar and whom no arrow marked; something else than the screen said. It throws too when
 * those who are similar change by their arrival who is marked, or what Enter does.
 */
export async function watch(screen: Screen, acts: readonly Act[]) {
  let byHand: string | null = null; // the voters among whom she marked one herself
  let byArrow: string | null = null; // whom she marked with an arrow
  for (const act of acts) {
    const before = screen.view();
    const hits = before.shown.join();
    if (byHand !== hits) {
      byHand = null;
      byArrow = null;
    }
    const said = screen.said?.();
    const known = screen.stored().length;
    await screen.act(act);
    const fresh = screen.stored().slice(known);
    if (fresh.length > 1) throw new Error("One act stored two lines.");
    const [line] = fresh;
    if (act.does !== "press") {
      if (line) throw new Error("Something was stored though nothing was pressed.");
      const { marked, shown } = screen.view();
      const same =
        marked === before.marked && shown.join() === hits && JSON.stringify(screen.said?.()) === JSON.stringify(said);
      if (act.does === "hear" && !same) throw new Error("Who is similar changed what was there.");
      continue;
    }
    const { key } = act;
    const acted = key.key.startsWith("Arrow") || (key.key === "Enter" && !key.ctrlKey && !line);
    if (acted && !key.repeat) byHand = screen.view().marked === null ? null : screen.view().shown.join();
    if (!line) {
      const { marked } = screen.view();
      if (key.key.startsWith("Arrow") || marked !== byArrow) byArrow = key.key.startsWith("Arrow") ? marked : null;
      continue;
    }
    if (line.voterId !== null && before.similar.includes(line.voterId) && byArrow !== line.voterId) {
      throw new Error(`${line.voterId}, who is only similar, was stored, and no arrow had marked her.`);
    }
    if (writes(key)) throw new Error(`"${key.key}", which writes text, stored ${line.verdict}.`);
    if (key.repeat) throw new Error("A key that is held down stored a line.");
    if (line.verdict === "accepted") {
      const { total, settled, marked, exact } = before;
      const meant = byHand === hits || total === 1 || exact === line.voterId;
      if (!settled || marked !== line.voterId || !meant) {
        throw new Error(`${line.voterId} was accepted, of ${total} found, whom nobody had marked.`);
      }
    }
    if (screen.said && key.key === "Enter" && (said?.verdict !== line.verdict || said.voterId !== line.voterId)) {
      throw new Error(`Enter stored ${line.verdict} of ${line.voterId}; the screen had said ${JSON.stringify(said)}.`);
    }
  }
}
