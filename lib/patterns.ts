// The database has the same patterns (tests/unit/patterns.test.ts). This file does without the schema library.

/** A voter id: 1 to 64 visible ASCII characters. */
export const voterIdPattern = /^[\x21-\x7E]{1,64}$/;

/** A search profile, the suffix of its environment variables: `NY`. */
export const profilePattern = /^[A-Z0-9_]{1,40}$/;

/** Language, script and region of BCP 47, as a team's `locale` has them. */
export const localePattern = /^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?$/;
