import { describe, expect, it } from "vitest";
import { type KeyPress, keyEvent, verdictKeys } from "@/lib/signatures/entry/entry-keys";

const base: KeyPress = {
  ...{ key: "", code: "", keyCode: 0, ctrlKey: false, shiftKey: false, altKey: false, metaKey: false },
  ...{ repeat: false, isComposing: false },
};
const [ctrl, shift, alt, meta] = [{ ctrlKey: true }, { shiftKey: true }, { altKey: true }, { metaKey: true }];
const chord = { ...ctrl, ...shift };
const altGr = { ...ctrl, ...alt }; // as Windows sends it; Linux and macOS send Alt alone or nothing
const press = (key: string, code: string, more: Partial<KeyPress> = {}) => keyEvent({ ...base, key, code, ...more });

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

  it.each(["Enter", "NumpadEnter"])("Ctrl+Shift+Enter undoes (%s), once", (code) => {
    expect(press("Enter", code, chord)).toEqual({ type: "undo" });
    expect(press("Enter", code, { ...chord, repeat: true })).toBeNull();
  });
});

describe("Ctrl, Shift and a digit", () => {
  // What the browsers of each system say that the digits from 1 to 9 write with Ctrl and Shift.
  it.each([
    ["US, Windows and Linux", [..."!@#$%^&*("]],
    ["US, macOS, where Ctrl leaves the digit", [..."123456789"]],
    ["German", [...'!"§$%&/()']],
    ["French, whose digits need Shift", [..."123456789"]],
    ["Spanish", [...'!"·$%&/()']],
    ["Swiss", [...'+"*ç%&/()']],
    ["US international, with dead keys", ["!", "@", "#", "$", "%", "Dead", "&", "*", "("]],
    ["Japanese", [...`!"#$%&'()`]],
    ["Russian", [...'!"№;%:?*(']],
    ["one that is not known", Array.from({ length: 9 }, () => "Unidentified")],
  ])("is a verdict by its place, or the sheet: %s", (_layout, keys) => {
    const events = keys.map((key, index) => press(key, `Digit${index + 1}`, chord));
    expect(events).toEqual([...verdictKeys.map(({ verdict }) => ({ type: "verdict", verdict })), { type: "sheet" }]);
    expect(keys.map((key, index) => press(key, `Digit${index + 1}`, { ...chord, repeat: true }))).toEqual(
      keys.map(() => null),
    );
  });

  it("is each verdict but accepted, once, in this order", () => {
    expect(verdictKeys.map(({ verdict }) => verdict)).toEqual([
      ...["duplicate", "not-found", "illegible", "not-registered", "out-of-district", "outside-dates", "other"],
      "blank",
    ]);
  });
});

describe("what is not the form's stays with the field, the browser or the system", () => {
  const digits = [..."123456789"];
  const letters = [..."abcdefghijklmnopqrstuvwxyz"];
  type Case = [what: string, keys: [key: string, code: string][], modifiers: Partial<KeyPress>];
  const asDigits = digits.map((digit): [string, string] => [digit, `Digit${digit}`]);
  const asLetters = letters.map((letter): [string, string] => [letter, `Key${letter.toUpperCase()}`]);
  const enter: [string, string][] = [["Enter", "Enter"]];
  const arrows = ["ArrowDown", "ArrowUp", "PageDown", "PageUp"].map((key): [string, string] => [key, key]);
  it.each<Case>([
    ["Ctrl with a digit: the browser's tabs", asDigits, ctrl],
    ["Alt with a digit: tabs on Linux, text on macOS", asDigits, alt],
    ["Meta with a digit: tabs on macOS, the task bar on Windows", asDigits, meta],
    ["AltGr with a digit, which writes", asDigits, altGr],
    ["AltGr and Shift with a digit, which writes", asDigits, { ...altGr, ...shift }],
    ["Ctrl, Shift and Meta with a digit: macOS's screenshots", asDigits, { ...chord, ...meta }],
    ["Ctrl, Shift and 0: Windows' input languages", [[")", "Digit0"]], chord],
    ["Ctrl, Shift and a digit of the number pad", digits.map((digit) => ["End", `Numpad${digit}`]), chord],
    ["Ctrl, Shift and a letter: the browser's windows and tools", asLetters, chord],
    ["Ctrl with a letter: copying, pasting, undoing", asLetters, ctrl],
    ["Meta with a letter", asLetters, meta],
    ["Ctrl+Enter: macOS's context menu", enter, ctrl],
    ["Shift+Enter", enter, shift],
    ["Alt+Enter", enter, alt],
    ["Meta+Enter", enter, meta],
    ["AltGr+Enter", enter, altGr],
    ["Ctrl, Shift, Alt and Enter", enter, { ...chord, ...alt }],
    ["Shift with an arrow, which selects", arrows, shift],
    ["Ctrl with an arrow or Page: words and tabs", arrows, ctrl],
    ["Alt with an arrow: the history of pages", arrows, alt],
    ["Meta with an arrow", arrows, meta],
    ["Ctrl, Shift and an arrow or Page: selecting words, moving tabs", arrows, chord],
    ["Esc with a modifier: task managers", [["Escape", "Escape"]], chord],
    ["Tab", [["Tab", "Tab"]], {}],
    ["Shift+Tab", [["Tab", "Tab"]], shift],
    [
      "keys of the field",
      ["Backspace", "Delete", "Home", "End", "ArrowLeft", "ArrowRight", "Insert", "ContextMenu"].map((key) => [
        key,
        key,
      ]),
      {},
    ],
    ["F keys", Array.from({ length: 12 }, (_, index) => [`F${index + 1}`, `F${index + 1}`]), {}],
    [
      "modifiers alone",
      ["Control", "Shift", "Alt", "AltGraph", "Meta", "CapsLock", "Dead", "Process", "Unidentified"].map((key) => [
        key,
        "",
      ]),
      {},
    ],
  ])("%s", (_what, keys, modifiers) => {
    for (const [key, code] of keys) expect(press(key, code, modifiers), `${key} ${code}`).toBeNull();
  });

  it("a key that writes text only types, with and without Shift and AltGr, repeated or not", () => {
    const texts = [..."abcdefghijklmnopqrstuvwxyzäéñß0123456789 !@#$%^&*()-_=+[]{};:'\",.<>/?\\|`~§±€№"];
    for (const text of texts) {
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
  ])("what an input method composes with: %s", (key, code, modifiers) => {
    expect(press(key, code, { ...modifiers, isComposing: true })).toBeNull();
    // Safari says that the composition is over with the key that ends it, and tells it by the code of a processed key.
    expect(press(key, code, { ...modifiers, keyCode: 229 })).toBeNull();
  });
});
