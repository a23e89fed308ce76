/** What a check has to say: a part of a sentence; of what is wrong a sentence, and the command or place that mends it. */
export type Finding =
  | { state: "ok" | "warning" | "not checked"; told: string }
  | { state: "wrong"; told: string; mend: string };

export const ok = (told: string): Finding => ({ state: "ok", told });
export const warning = (told: string): Finding => ({ state: "warning", told });
export const notChecked = (told: string): Finding => ({ state: "not checked", told });
export const wrong = (told: string, mend: string): Finding => ({ state: "wrong", told, mend });

/** A check looks at one thing and ends by itself when the signal comes. */
export type Check = (signal: AbortSignal) => Promise<Finding[]>;

/** What a check needs is not there, which another check says: this one has nothing to add. */
export class NotChecked extends Error {}
