import fc from "fast-check";
import { formatOf } from "@/lib/format/format-of";
import type { EntryContext } from "@/lib/signatures/entry/entry-form";
import type { KeyPress } from "@/lib/signatures/entry/entry-keys";
import type { Voter } from "@/lib/voters/read-hit";
import { firstNames } from "@/lib/voters/voter-text";

/** A screen on an empty sheet, with nothing found. */
export const idleContext: EntryContext = {
  isSearching: false,
  searchDown: false,
  isClosed: false,
  voters: [],
  similar: [],
  total: 0,
  marks: new Map(),
  lines: new Map(),
  replaced: null,
  lineCount: 20,
  last: null,
  today: "2026-11-03",
  format: formatOf({ locale: "en-US", timeZone: "UTC" }),
  startsOn: null,
  endsOn: null,
  collectedOn: null,
  districts: null,
};

/** The voters that the clerk types: namesakes, names with the same beginning, and some of each who have signed. */
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
  ["Kim", "Mei", "840", "Hye-jin"],
].map(([lastName, firstName, houseNumber, middleName], index) => ({
  voterId: `WA-${index}`,
  lastName,
  firstName,
  houseNumber,
  ...(middleName && { middleName }),
}));
export const signed = new Set(["WA-3", "WA-5", "WA-6"]);

export const matching = (fields: { lastName: string; firstName: string; houseNumber: string }) =>
  file.filter(
    (voter) =>
      voter.lastName?.toLowerCase().startsWith(fields.lastName.trim().toLowerCase()) &&
      firstNames(voter).toLowerCase().startsWith(fields.firstName.trim().toLowerCase()) &&
      (fields.houseNumber.trim() === "" || voter.houseNumber === fields.houseNumber.trim()),
  );

/** Near matches: other voters with the same first letter. */
export const similarTo = (fields: Parameters<typeof matching>[0]) => {
  const found = matching(fields);
  const letter = fields.lastName.trim().at(0)?.toLowerCase();
  return file
    .filter((voter) => !found.includes(voter) && (letter === "z" || voter.lastName?.toLowerCase().at(0) === letter))
    .slice(0, 2)
    .map((voter): Voter => ({ ...voter, match: "similar" }));
};

/** What a clerk in a hurry does: they don't wait for anything. */
export type Act =
  | { type: "press"; key: KeyPress }
  /** A pending answer arrives: the voters, or whether they have signed. */
  | { type: "receive" }
  /** Near matches arrive, at any time. */
  | { type: "receiveNear" };

/** A screen: what the clerk can do and see, and what it has stored. */
export type Screen = {
  act: (act: Act) => void;
  /**
   * The listed voters, the total of matches, whether they belong to the current fields, the marked one, and near matches.
   */
  view: () => {
    shown: string[];
    total: number;
    settled: boolean;
    marked: string | null;
    exact: string | null;
    /** Whether the list shows a voter exactly as typed who hasn't signed. */
    unsigned: boolean;
    similar: string[];
  };
  /** The verdict that the screen asks to press again. */
  asks: () => string | null;
  stored: () => { verdict: string; voterId: string | null; line: number }[];
  /** What the screen announces for Enter: the verdict and the voter. */
  announced: () => { verdict: string; voterId: string | null } | null;
};

export const noKey: KeyPress = {
  key: "",
  code: "",
  keyCode: 0,
  ctrlKey: false,
  shiftKey: false,
  altKey: false,
  metaKey: false,
  repeat: false,
  isComposing: false,
};
const press = (key: string, more: Partial<KeyPress> = {}): Act => ({ type: "press", key: { ...noKey, key, ...more } });
const typing = (text: string) => [...text].map((letter) => press(letter, { code: `Key${letter.toUpperCase()}` }));
const clear = press("Escape", { code: "Escape" });
const receive: Act = { type: "receive" };
const receiveNear: Act = { type: "receiveNear" };
const chord = (digit: number) =>
  press("!@#$%^&*("[digit - 1] ?? "", { code: `Digit${digit}`, ctrlKey: true, shiftKey: true });

/** Whether a key writes text, which must never store anything. */
export const writes = ({ key, ctrlKey, altKey, metaKey }: KeyPress) =>
  [...key].length === 1 && !ctrlKey && !altKey && !metaKey;

const names = fc.constantFrom("smi", "smith", "smithson", "rivera", "Rivera", "under", "nguyen", "zz");
const bursts = fc.oneof(
  {
    weight: 2,
    arbitrary: fc
      .constantFrom(["smithson", "lee"], ["underwood", "ida"], ["rivera", "ana"])
      .map(([last = "", first = ""]) => [
        clear,
        ...typing(last),
        press("Tab", { code: "Tab" }),
        ...typing(first),
        receive,
        receive,
      ]),
  },
  { weight: 4, arbitrary: names.map((name) => [clear, ...typing(name), receive, receive]) },
  { weight: 2, arbitrary: names.map(typing) },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom("Enter", "Enter", "Enter", "Tab", "ArrowDown", "ArrowUp", "Escape", "PageDown", "PageUp")
      .map((key) => [press(key, { code: key })]),
  },
  { weight: 3, arbitrary: fc.constant([receive]) },
  { weight: 3, arbitrary: fc.constantFrom([receiveNear], [receiveNear, receive]) },
  { weight: 1, arbitrary: fc.constantFrom("ada", "12", "340", ..."dnirteous ").map(typing) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 9 }).map((digit) => [chord(digit)]) },
  { weight: 1, arbitrary: fc.constant([press("Enter", { code: "Enter", ctrlKey: true, shiftKey: true })]) },
  { weight: 1, arbitrary: fc.constant([press("Enter", { code: "Enter", repeat: true })]) },
);

export const sessions = fc.array(bursts, { minLength: 5, maxLength: 25 }).map((all) => all.flat());

/**
 * Lets a clerk act on a screen, and throws for everything unintended. A key that types text or is held down must store nothing.
 * Without asking, no verdict may contradict an exact voter in the list. A stored voter was marked by hand, belongs to the
 * corrected line, is the only match, or is the only one with exactly this name and house number. A stored near match was marked
 * with an arrow key. What is stored is what the screen announced. When near matches arrive, they change neither the mark nor
 * what Enter does.
 */
export function watch(screen: Screen, acts: readonly Act[]) {
  let byHand: string | null = null; // the voters in the list when the clerk marked one
  let byArrow: string | null = null; // the voter that an arrow or Page Up or Down marked
  for (const act of acts) {
    const before = screen.view();
    const hits = before.shown.join();
    if (byHand !== hits) {
      byHand = null;
      byArrow = null;
    }
    const announced = screen.announced();
    const asked = screen.asks();
    const known = screen.stored().length;
    screen.act(act);
    const fresh = screen.stored().slice(known);
    if (fresh.length > 1) throw new Error("One act stored two lines.");
    const [line] = fresh;
    if (act.type !== "press") {
      if (line) throw new Error("Something was stored without a key press.");
      const { marked, shown } = screen.view();
      const same =
        marked === before.marked &&
        shown.join() === hits &&
        JSON.stringify(screen.announced()) === JSON.stringify(announced);
      if (act.type === "receiveNear" && !same) throw new Error("Near matches changed what was shown.");
      continue;
    }
    const { key } = act;
    const moves = /^(Arrow|Page)/.test(key.key);
    const acted = moves || (key.key === "Enter" && !key.ctrlKey && !line);
    if (acted && !key.repeat) byHand = screen.view().marked === null ? null : screen.view().shown.join();
    if (!line) {
      const { marked } = screen.view();
      if (moves || marked !== byArrow) byArrow = moves ? marked : null;
      continue;
    }
    if (line.voterId !== null && before.similar.includes(line.voterId) && byArrow !== line.voterId) {
      throw new Error(`${line.voterId} is a near match and was stored without being marked by an arrow.`);
    }
    if (writes(key)) throw new Error(`"${key.key}" writes text and stored ${line.verdict}.`);
    if (key.repeat) throw new Error("A key that is held down stored a line.");
    if (/^not-/.test(line.verdict) && before.unsigned && asked !== line.verdict) {
      throw new Error(`${line.verdict} was stored of a voter in the list without asking.`);
    }
    if (line.verdict === "accepted") {
      const { total, settled, marked, exact } = before;
      const meant = byHand === hits || total === 1 || exact === line.voterId;
      if (!settled || marked !== line.voterId || !meant) {
        throw new Error(`${line.voterId} was accepted of ${total} found without being marked.`);
      }
    }
    if (key.key === "Enter" && (announced?.verdict !== line.verdict || announced.voterId !== line.voterId)) {
      throw new Error(
        `Enter stored ${line.verdict} of ${line.voterId}; the screen had announced ${JSON.stringify(announced)}.`,
      );
    }
  }
}
