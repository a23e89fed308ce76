import { useFormat } from "@/components/shell/format-provider";
import { Badge } from "@/components/ui/badge";
import { equalForSearch } from "@/lib/format/text";
import { type SignedMark, signedAtText } from "@/lib/signatures/signed-mark";
import { cn } from "@/lib/utils";
import type { Voter } from "@/lib/voters/read-hit";
import { matchText } from "@/lib/voters/voter-text";

const unsigned = {
  "not-signed": ["not signed"],
  unchecked: ["not checked", "Couldn't check whether they have signed. Search again in a moment."],
};

/** Whether a voter has already signed, with the details in its title. Unknown never looks like a no. */
export function SignedBadge({ mark, className }: { mark: SignedMark | undefined; className?: string }) {
  const format = useFormat();
  if (mark?.state !== "signed") {
    const [text, title] = mark ? unsigned[mark.state] : ["checking…"];
    return (
      <span
        title={title}
        className={cn("inline-block whitespace-nowrap text-muted-foreground text-xs first-letter:uppercase", className)}
      >
        {text}
      </span>
    );
  }
  return (
    <Badge tone="warning" title={mark.at ? signedAtText(mark.at, format) : undefined} className={className}>
      already signed
    </Badge>
  );
}

/** Why a voter is a near match; nothing for other voters. */
export function MatchBadge({ voter }: { voter: Voter }) {
  if (!voter.match) return null;
  return (
    <span className="inline-flex h-5 shrink-0 items-center whitespace-nowrap rounded-md border px-1.5 font-medium text-muted-foreground text-xs">
      <span className="first-letter:uppercase">{matchText(voter)}</span>
    </span>
  );
}

/** Highlights the beginning of a text that matches the query, ignoring case, accents and hyphens. */
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

// The longest beginning that equals the query, so that a separate accent is marked with its letter.
function matchedLength(text: string, query: string) {
  if (query === "") return 0;
  let matched = 0;
  for (let length = 1; length <= text.length; length += 1) {
    const beginning = text.slice(0, length);
    if (!equalForSearch(beginning, query)) {
      if (matched > 0) break;
    } else if (!/[\p{P}\s]$/u.test(beginning)) matched = length;
  }
  return matched;
}
