import type { SignedAt, SignedCheck, SignedMark, SignedMarks } from "@/components/voters/signed-mark";

const longest = 5_000; // ms
const voterIdPattern = /^[\x21-\x7E]{1,64}$/;

/**
 * Asks which voters have signed, and for those who may see it, when and where. `show` is called as soon as it is known
 * who has, and again with the details. What could not be asked is "unchecked", never "not signed". It never throws.
 */
export async function askForMarks(
  { campaignId, detailsFor }: SignedCheck,
  voterIds: string[],
  { show, signal }: { show: (marks: SignedMarks) => void; signal: AbortSignal },
): Promise<void> {
  const known = voterIds.filter((id) => voterIdPattern.test(id)); // the others cannot have been stored
  if (known.length === 0) return;
  const exists = readExists(await ask("/api/duplicate/batch", { campaignId, voterIds: known }, signal));
  const signed = exists && known.filter((id) => exists.get(id));
  const marks = new Map<string, SignedMark>();
  for (const id of known) {
    const state = exists?.get(id);
    marks.set(id, state ? { state: "signed", at: null } : { state: state === false ? "not-signed" : "unchecked" });
  }
  if (exists || !detailsFor) show(new Map(marks));
  if (!detailsFor || signed?.length === 0) return;

  // The database is the last word: where the fast check has no answer, or an old one, it decides.
  const asked = signed ?? known;
  const body = { teamId: detailsFor, campaignId, voterIds: asked };
  const details = readSigned(await ask("/api/signatures/signed", body, signal));
  if (details) {
    for (const id of asked) {
      const at = details.get(id);
      marks.set(id, at ? { state: "signed", at } : { state: "not-signed" });
    }
  }
  show(marks);
}

async function ask(path: string, body: object, signal: AbortSignal): Promise<unknown> {
  try {
    const response = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
      cache: "no-store",
      signal: AbortSignal.any([signal, AbortSignal.timeout(longest)]),
    });
    return response.ok ? await response.json() : null;
  } catch {
    return null;
  }
}

const objectIn = (body: unknown, key: string): object | null => {
  const value: unknown = typeof body === "object" && body !== null ? Reflect.get(body, key) : null;
  return typeof value === "object" && value !== null ? value : null;
};

function readExists(body: unknown): Map<string, boolean> | null {
  const exists = objectIn(body, "exists");
  return exists && new Map(Object.entries(exists).flatMap(([id, is]) => (typeof is === "boolean" ? [[id, is]] : [])));
}

function readSigned(body: unknown): Map<string, SignedAt> | null {
  const signed = objectIn(body, "signed");
  return signed && new Map(Object.entries(signed).map(([id, at]: [string, unknown]) => [id, readSignedAt(at)]));
}

/** Reads what the server tells of a signature. What it leaves out is null; whatever is odd counts as another team's. */
export function readSignedAt(at: unknown): SignedAt {
  if (typeof at !== "object" || at === null || Reflect.get(at, "ownTeam") !== true) return { ownTeam: false };
  const text = (value: unknown) => (typeof value === "string" ? value : null);
  const number = (value: unknown) => (typeof value === "number" ? value : null);
  return {
    ownTeam: true,
    enteredAt: text(Reflect.get(at, "enteredAt")),
    enteredBy: text(Reflect.get(at, "enteredBy")),
    sheet: number(Reflect.get(at, "sheet")),
    line: number(Reflect.get(at, "line")),
  };
}
