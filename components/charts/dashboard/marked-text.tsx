import type { ReactNode } from "react";
import { TextLink } from "@/components/ui/link";

// A link with a text, a web address without the punctuation that ends a sentence, and bold text.
const marks = /\[([^\]\n]+)\]\((https?:\/\/[^\s)]+)\)|(https?:\/\/\S*[^\s.,;:!?)\]}'"”’>*])|\*\*(\S|\S.*?\S)\*\*/;

function markedParts(text: string): ReactNode[] {
  const parts = text.split(marks); // plain text, link's text, its address, web address, bold text, plain text …
  return parts.map((part, at) => {
    if (part === undefined || at % 5 === 1) return null;
    if (at % 5 === 0) return part;
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts hold no state
    if (at % 5 === 4) return <strong key={at}>{markedParts(part)}</strong>;
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts hold no state
      <TextLink key={at} href={part}>
        {at % 5 === 2 ? parts[at - 1] : part}
      </TextLink>
    );
  });
}

const kindOf = (line: string) => /^[#-] (?=.*\S)|^\s*$/.exec(line)?.[0].trim();

/** A text as it was typed, with “# ” headings, “- ” lists, **bold** and links. Never interpreted as HTML. */
export function MarkedText({ text }: { text: string }) {
  const lines = text.split("\n");
  const begins = lines.flatMap((line, at) => (at === 0 || kindOf(line) !== kindOf(lines[at - 1] ?? "") ? at : []));
  return begins.map((begin, at) => {
    const block = lines.slice(begin, begins[at + 1]);
    const kind = kindOf(block[0] ?? "");
    if (kind === undefined) {
      return (
        <p key={begin} className="whitespace-pre-wrap">
          {markedParts(block.join("\n"))}
        </p>
      );
    }
    const Line = kind === "-" ? "li" : "h3";
    const marked = block.map((line, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the lines hold no state
      <Line key={at} className={kind === "-" ? "" : "font-semibold"}>
        {markedParts(line.slice(2))}
      </Line>
    ));
    return kind === "-" ? (
      <ul key={begin} className="list-disc pl-5">
        {marked}
      </ul>
    ) : (
      kind === "#" && marked
    );
  });
}
