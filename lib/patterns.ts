// The database has the same patterns (tests/unit/patterns.test.ts). This file does without the schema library.

/** An id for addresses, from a name: `My team` becomes `my-team`. Empty if nothing of it is left. */
export function idFromName(name: string) {
  const plain = name.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
  return plain
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, 63);
}

/** A voter id: 1 to 64 visible ASCII characters. */
export const voterIdPattern = /^[\x21-\x7E]{1,64}$/;

/** The number of a sheet or line, as typed: 1 to 999,999. */
export const sheetOrLineNumberPattern = /^[1-9]\d{0,5}$/;

/** A search profile, the suffix of its environment variables: `NY`. */
export const profilePattern = /^[A-Z0-9_]{1,40}$/;

/** Language, script and region of BCP 47, as a team's `locale` has them. */
export const localePattern = /^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?$/;
