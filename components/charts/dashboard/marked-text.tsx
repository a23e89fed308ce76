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

// "#", "-" or "1." for lines of headings and lists, "" for an empty one.
const kindOf = (line: string) =>
  /^(#|\s*[*-]|\s*\d{1,9}\.) (?=.*\S)|^\s*$/.exec(line)?.[0].replace("*", "-").replace(/\d+/, "1").trim();

const indentation = (line = "") => /^\s*/.exec(line)?.[0].length ?? 0;

/** A text as it was typed, with “# ” headings, “- ”, “* ” and “1. ” lists, **bold** and links. Never interpreted as HTML. */
export function MarkedText({ text }: { text: string }) {
  const lines = text.split("\n");
  // An indented item belongs to the list before it.
  const kinds: (string | undefined)[] = [];
  for (const line of lines) {
    const [kind, before] = [kindOf(line), kinds.at(-1)];
    const isNested = indentation(line) > 0 && kind && ["-", "1."].includes(before ?? "");
    kinds.push(isNested ? before : kind);
  }
  const begins = kinds.flatMap((kind, at) => (at === 0 || kind !== kinds[at - 1] ? at : []));
  return begins.map((begin, at) => {
    const block = lines.slice(begin, begins[at + 1]);
    const kind = kinds[begin];
    if (kind === "") return null;
    if (kind === undefined) {
      return (
        <p key={begin} className="whitespace-pre-wrap">
          {markedParts(block.join("\n"))}
        </p>
      );
    }
    const Line = kind === "#" ? "h3" : "li";
    const items: string[][] = [];
    for (const line of block) {
      if (indentation(line) > indentation(block[0])) items.at(-1)?.push(line);
      else items.push([line]);
    }
    const marked = items.map(([line = "", ...nested], at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the lines hold no state
      <Line key={at} className={kind === "#" ? "font-semibold" : ""}>
        {markedParts(line.trimStart().replace(/^\S+ /, ""))}
        {nested.length > 0 && (
          <MarkedText
            text={nested.map((one) => one.slice(Math.min(indentation(one), indentation(nested[0])))).join("\n")}
          />
        )}
      </Line>
    ));
    if (kind === "#") return marked;
    return kind === "1." ? (
      <ol key={begin} start={Number.parseInt(block[0] ?? "", 10)} className="list-decimal pl-5">
        {marked}
      </ol>
    ) : (
      <ul key={begin} className="list-disc pl-5">
        {marked}
      </ul>
    );
  });
}
