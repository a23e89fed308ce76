/** A voter id: 1 to 64 visible ASCII characters. Without the schema library, which comes after the page. */
export const voterIdPattern = /^[\x21-\x7E]{1,64}$/;
