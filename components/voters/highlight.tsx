import { foundAlike } from "@/lib/format/text";

/** A text whose beginning is marked as far as it is what was searched for, whatever its case, accents and hyphens. */
export function Highlight({ text, query }: { text: string; query: string }) {
  const length = matchedLength(text, query.trim());
  if (length === 0) return text;
  return (
    <>
      <mark className="rounded-[2px] bg-primary-soft font-semibold text-primary">{text.slice(0, length)}</mark>
      {text.slice(length)}
    </>
  );
}

// The longest beginning that equals the query, so that an accent written as a sign of its own is marked with its letter.
function matchedLength(text: string, query: string) {
  if (query === "") return 0;
  let matched = 0;
  for (let length = 1; length <= text.length; length += 1) {
    const beginning = text.slice(0, length);
    if (!foundAlike(beginning, query)) {
      if (matched > 0) break;
    } else if (!/[\p{P}\s]$/u.test(beginning)) matched = length;
  }
  return matched;
}
