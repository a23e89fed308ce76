import { describe, expect, it } from "vitest";
import { type KeyPress, keyEvent, verdictKeys } from "@/lib/signatures/entry/entry-keys";
import { rejections } from "@/lib/signatures/verdicts";
import { noKey } from "./hasty-clerk.ts";

const [ctrl, shift, alt, meta] = [{ ctrlKey: true }, { shiftKey: true }, { altKey: true }, { metaKey: true }];
const chord = { ...ctrl, ...shift };
const altGr = { ...ctrl, ...alt }; // as on Windows; Linux and macOS send only Alt or nothing
const press = (key: string, code: string, more: Partial<KeyPress> = {}) => keyEvent({ ...noKey, key, code, ...more });

describe("a key of the form", () => {
  it.each([
    ["Enter", "Enter", { type: "enter" }],
    ["Enter", "NumpadEnter", { type: "enter" }],
    ["Escape", "Escape", { type: "clear" }],
    ["ArrowDown", "ArrowDown", { type: "move", by: 1 }],
    ["ArrowUp", "ArrowUp", { type: "move", by: -1 }],
    ["ArrowDown", "Numpad2", { type: "move", by: 1 }],
    ["PageDown", "PageDown", { type: "turn", by: 1 }],
    ["PageUp", "Numpad9", { type: "turn", by: -1 }],
  ])("%s (%s)", (key, code, event) => {
    expect(press(key, code)).toEqual(event);
    const repeated = ["move", "turn"].includes(event.type) ? event : null;
    expect(press(key, code, { repeat: true })).toEqual(repeated);
  });

  it.each(["Enter", "NumpadEnter"])("Ctrl+Shift+Enter corrects once (%s)", (code) => {
    expect(press("Enter", code, chord)).toEqual({ type: "correct" });
    expect(press("Backspace", "Backspace", chord)).toEqual({ type: "redo" });
    expect(press(" ", "Space", chord)).toEqual({ type: "next-empty" });
    expect(press("Enter", code, { ...chord, repeat: true })).toBeNull();
  });
});

describe("Ctrl, Shift and a digit", () => {
  // The keys that browsers of each system report for the digits 1 to 9 and 0 with Ctrl and Shift.
  it.each([
    ["US, Windows and Linux", [..."!@#$%^&*()"]],
    ["German", [...'!"§$%&/()=']],
    ["French, whose digits need Shift, and macOS, where Ctrl leaves them", [..."1234567890"]],
    ["US international, with dead keys", ["!", "@", "#", "$", "%", "Dead", "&", "*", "(", ")"]],
    ["an unknown layout", Array.from({ length: 10 }, () => "Unidentified")],
  ])("selects a verdict by its position, or the sheet: %s", (_layout, keys) => {
    const events = keys.map((key, index) => press(key, `Digit${(index + 1) % 10}`, chord));
    const verdicts = verdictKeys.map(({ verdict }) => ({ type: "verdict", verdict }));
    expect(events).toEqual([...verdicts.slice(0, 8), { type: "sheet" }, verdicts[8]]);
    expect(keys.map((key, index) => press(key, `Digit${(index + 1) % 10}`, { ...chord, repeat: true }))).toEqual(
      keys.map(() => null),
    );
  });

  it("has each verdict except accepted, in this order", () => {
    expect(verdictKeys.map(({ verdict }) => verdict)).toEqual([
      "duplicate",
      "not-found",
      "illegible",
      "not-registered",
      "out-of-district",
      "outside-dates",
      "other",
      "blank",
      "wrong-address",
    ]);
    expect(verdictKeys.map(({ digit }) => digit).join("")).toBe("123456780");
    expect(verdictKeys.map(({ verdict }) => verdict).toSorted()).toEqual([...rejections, "blank"].toSorted());
  });
});

describe("other keys are left to the field, the browser or the system", () => {
  type Keys = [key: string, code: string][];
  const digits = [..."1234567890"].map((digit): [string, string] => [digit, `Digit${digit}`]);
  const letters = [..."abcdefghijklmnopqrstuvwxyz"].map((key): [string, string] => [key, `Key${key.toUpperCase()}`]);
  const named = (...names: string[]): Keys => names.map((name) => [name, name]);
  it.each<[what: string, keys: Keys, modifiers: Partial<KeyPress>[]]>([
    ["a digit: tabs, the task bar, text by Alt or AltGr", digits, [ctrl, alt, meta, altGr, { ...altGr, ...shift }]],
    ["a digit with Ctrl, Shift and Meta: macOS's screenshots", digits, [{ ...chord, ...meta }]],
    ["a digit of the number pad", digits.map(([digit]) => ["End", `Numpad${digit}`]), [chord]],
    ["a letter: copying, undoing, the browser's windows and tools", letters, [ctrl, meta, chord]],
    ["Enter with another modifier", named("Enter"), [ctrl, shift, alt, meta, altGr, { ...chord, ...alt }]],
    [
      "an arrow or Page: selecting, words, tabs, the history of pages",
      named("ArrowDown", "ArrowUp", "PageDown", "PageUp"),
      [shift, ctrl, alt, meta, chord],
    ],
    ["Esc with a modifier: task managers", named("Escape"), [chord]],
    ["Tab", named("Tab"), [{}, shift]],
    ["a key of the field", named("Backspace", "Delete", "Home", "End", "ArrowLeft", "ArrowRight", "Insert"), [{}]],
    ["an F key", Array.from({ length: 12 }, (_, index) => [`F${index + 1}`, `F${index + 1}`]), [{}]],
    [
      "only a modifier, or an unknown key",
      named(
        "Control",
        "Shift",
        "Alt",
        "AltGraph",
        "Meta",
        "CapsLock",
        "ContextMenu",
        "Dead",
        "Process",
        "Unidentified",
      ),
      [{}],
    ],
  ])("%s", (_what, keys, modifiers) => {
    for (const [key, code] of keys) {
      for (const held of modifiers) expect(press(key, code, held), `${key} ${JSON.stringify(held)}`).toBeNull();
    }
  });

  it("a key that writes text only types, with or without Shift and AltGr, repeated or not", () => {
    const characters = [..."abcdefghijklmnopqrstuvwxyzäéñß0123456789 !@#$%^&*()-_=+[]{};:'\",.<>/?\\|`~§±€№"];
    for (const text of characters) {
      for (const code of ["KeyD", "Digit1", "Digit9", "Space", "Numpad1", "IntlBackslash", ""]) {
        for (const modifiers of [{}, shift, alt, { ...alt, ...shift }, altGr, { ...altGr, ...shift }]) {
          for (const repeat of [false, true]) {
            expect(press(text, code, { ...modifiers, repeat }), `${text} ${code}`).toBeNull();
          }
        }
      }
    }
  });

  it.each([
    ["Enter", "Enter", {}],
    ["Escape", "Escape", {}],
    ["ArrowDown", "ArrowDown", {}],
    ["PageDown", "PageDown", {}],
    ["Enter", "Enter", chord],
    ["!", "Digit1", chord],
  ])("a key that an input method uses: %s", (key, code, modifiers) => {
    expect(press(key, code, { ...modifiers, isComposing: true })).toBeNull();
    // Safari reports the end of a composition by the key code of a processed key.
    expect(press(key, code, { ...modifiers, keyCode: 229 })).toBeNull();
  });
});
