import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type EntryContext, type EntryForm, emptyForm } from "@/lib/signatures/entry/entry-form";
import { keyEvent } from "@/lib/signatures/entry/entry-keys";
import { isExactVoter, listedVoters, markedIndex } from "@/lib/signatures/entry/marked-voter";
import { currentOffer } from "@/lib/signatures/entry/offer";
import type { ShownLine } from "@/lib/signatures/entry/shown-lines";
import { type EntryEvent, reduceEntry } from "@/lib/signatures/entry/step";
import type { SignedMark } from "@/lib/signatures/signed-mark";
import type { VoterField } from "@/lib/voters/voter-query";
import { inDrill } from "../../../support/in-drill.ts";
import {
  type Act,
  idleContext,
  matching,
  type Screen,
  sessions,
  signed,
  similarTo,
  watch,
  writes,
} from "./hasty-clerk.ts";

const fields = ["lastName", "firstName", "houseNumber"] as const satisfies VoterField[];
const stateAt = {
  sheet: 12,
  voterId: null,
  name: "",
  stateText: "",
  stored: true,
  enteredBy: "Rosa",
  mine: true,
  enteredAt: "2026-11-03T12:00:00Z",
};

type Fault = (
  form: EntryForm,
  act: Act,
  context: EntryContext,
) => { event: EntryEvent | null } | { form: EntryForm } | null;

/** The form without a browser: search results and marks arrive on request. `fault` breaks a rule. */
function entryScreen(fault?: Fault): Screen {
  let form: EntryForm = { ...emptyForm, sheet: 12 };
  let at = 0;
  let searched = form.fields;
  const lines = new Map<number, ShownLine>();
  const stored: ReturnType<Screen["stored"]> = [];
  let replaced: ShownLine | null = null; // by the correction in the form
  let context: EntryContext = { ...idleContext, lines };
  const receive = () => {
    if (context.isSearching) {
      searched = form.fields;
      const voters = fields.some((field) => searched[field].trim()) ? matching(searched) : [];
      // Two on a page, so that some matches aren't shown.
      context = { ...context, isSearching: false, voters: voters.slice(0, 2).map((one) => ({ ...one })), similar: [] };
      context = { ...context, total: voters.length, marks: new Map() };
    } else {
      const marks = listedVoters(context).map(({ voterId }): [string, SignedMark] => [
        voterId,
        signed.has(voterId) ? { state: "signed", at: null } : { state: "not-signed" },
      ]);
      context = { ...context, marks: new Map(marks) };
    }
  };
  const receiveNear = () => {
    if (context.isSearching || context.similar.length > 0) return;
    context = { ...context, similar: searched.lastName.trim() ? similarTo(searched) : [] };
  };
  const dispatch = (event: EntryEvent) => {
    const before = form;
    const { form: after, effects } = reduceEntry(form, event, context);
    form = after;
    for (const effect of effects) {
      if (effect.type === "correct") {
        const [place] = [...lines].find(([, { id }]) => id === effect.id) ?? [0];
        replaced = lines.get(place) ?? null;
        lines.delete(place);
        const event = { type: "put-back", sheet: 12, line: place, signedOn: "", replaces: effect.id } as const;
        const everyone = matching({ lastName: "", firstName: "", houseNumber: "" });
        const voter = everyone.find(({ voterId }) => voterId === replaced?.voterId);
        const { lastName = "smith", firstName = "ada", houseNumber = "340", voterId = "" } = voter ?? {};
        dispatch({ ...event, fields: { lastName, firstName, houseNumber, voterId } });
      }
      if (effect.type === "focus") at = 0;
      if (effect.type !== "record") continue;
      const { change } = effect;
      if (change.kind === "undo") {
        if (replaced?.id !== change.of) throw new Error("An undo without a correction.");
        replaced = null;
        context = { ...context, last: null };
      }
      if (change.kind !== "line") continue;
      const { verdict } = change;
      const id = `${stored.length}`;
      stored.push({ verdict, voterId: change.voterId, line: change.line });
      lines.set(change.line, { ...stateAt, id, line: change.line, state: verdict, voterId: change.voterId });
      context = { ...context, last: { id, sheet: change.sheet, line: change.line, name: "" } };
    }
    if (form.replaces === null && replaced?.line != null) {
      lines.set(replaced.line, replaced); // the correction was dropped
      replaced = null;
    }
    if (fields.some((field) => before.fields[field] !== form.fields[field]))
      context = { ...context, isSearching: true };
  };
  const shown = () => (context.isSearching ? [] : context.voters);
  return {
    act(act) {
      if (act.type === "receive") return receive();
      if (act.type === "receiveNear") receiveNear();
      const faulty = fault?.(form, act, context);
      if (faulty && "form" in faulty) form = faulty.form;
      if (act.type === "receiveNear") return;
      const event = faulty && "event" in faulty ? faulty.event : keyEvent(act.key);
      if (event) return dispatch(event);
      if (act.key.key === "Tab") at = (at + 1) % fields.length;
      const field = fields[at];
      if (writes(act.key) && field) dispatch({ type: "typed", field, text: form.fields[field] + act.key.key });
    },
    view() {
      const index = markedIndex(form, context);
      const exact = context.voters.filter(
        ({ lastName, firstName, houseNumber }) =>
          [lastName, firstName, houseNumber].join().toLowerCase() ===
          fields
            .map((field) => form.fields[field].trim())
            .join()
            .toLowerCase(),
      );
      const only = exact.length === 1 && context.total <= context.voters.length ? exact[0] : undefined;
      const corrected = context.voters.find(({ voterId }) => voterId === form.fields.voterId);
      return {
        shown: shown().map(({ voterId }) => voterId),
        total: context.total,
        settled: !context.isSearching,
        marked: index === null || context.isSearching ? null : (listedVoters(context)[index]?.voterId ?? null),
        similar: context.isSearching ? [] : context.similar.map(({ voterId }) => voterId),
        exact: (corrected ?? only)?.voterId ?? null,
        unsigned: shown().some(
          (voter) => isExactVoter(voter, form.fields) && context.marks.get(voter.voterId)?.state === "not-signed",
        ),
      };
    },
    stored: () => stored,
    asks: () => form.message?.asks ?? null,
    announced() {
      const offered = currentOffer(form, context);
      if (offered.does === "accept") return { verdict: "accepted", voterId: offered.voter.voterId };
      return offered.does === "duplicate" ? { verdict: "duplicate", voterId: offered.voter.voterId } : null;
    },
  };
}

describe("a hasty clerk", () => {
  it("never stores anything unintended", { timeout: 60_000 }, () => {
    const numRuns = inDrill(10_000, { else: 1_000 });
    let lines = 0;
    const oneSession = fc.property(sessions, (acts) => {
      const screen = entryScreen();
      watch(screen, acts);
      lines += screen.stored().length;
    });
    fc.assert(oneSession, { numRuns });
    expect(lines).toBeGreaterThan(0.3 * numRuns);
  });

  const faults: Record<string, () => Fault> = {
    "a letter that stores": () => (_form, act, context) =>
      act.type === "press" && act.key.key === "n" && context.voters.length > 0
        ? { event: { type: "verdict", verdict: "illegible" } }
        : null,
    "Enter that accepts the first of many":
      () =>
      (form, act, { voters, isSearching }) =>
        act.type === "press" && act.key.key === "Enter" && voters.length > 1 && !isSearching && form.marked === null
          ? { form: { ...form, marked: voters[0] ?? null } }
          : null,
    "a verdict that doesn't ask first": () => (form, act) =>
      act.type === "press" && act.key.ctrlKey ? { form: { ...form, message: { text: "", asks: "not-found" } } } : null,
    "a held key that stores": () => (_form, act) =>
      act.type === "press" && act.key.key === "Enter" && act.key.repeat ? { event: { type: "enter" } } : null,
    "a mark that moves to other voters": () => {
      let lastMarked: EntryForm["marked"] = null;
      return (form, act, { voters, isSearching }) => {
        if (act.type === "press" && act.key.key === "Enter" && lastMarked && !form.marked && !isSearching) {
          return { form: { ...form, marked: voters[0] ?? null } };
        }
        lastMarked = form.marked ?? lastMarked;
        return null;
      };
    },
    "a near match, marked by Enter as the only one":
      () =>
      (form, act, { voters, similar }) =>
        act.type === "press" && act.key.key === "Enter" && voters.length === 0 && form.marked === null
          ? { form: { ...form, marked: similar[0] ?? null } }
          : null,
    "a near match, marked on arrival":
      () =>
      (form, act, { similar }) =>
        act.type === "receiveNear" && similar.length === 1 ? { form: { ...form, marked: similar[0] ?? null } } : null,
    "a near match, which removes the mark":
      () =>
      (form, act, { similar }) =>
        act.type === "receiveNear" && similar.length > 0 && form.marked ? { form: { ...form, marked: null } } : null,
  };
  it.each(Object.keys(faults))("a broken rule is found within 1,000 sessions: %s", (name) => {
    const faulty = fc.property(sessions, (acts) => watch(entryScreen(faults[name]?.()), acts));
    const found = fc.check(faulty, { numRuns: 1_000, seed: 1 });
    expect(found.failed).toBe(true);
  });
});
