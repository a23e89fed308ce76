import type { ReactNode } from "react";
import { TextLink } from "@/components/ui/link";

// A link with a text, a web address without the punctuation that ends a sentence, and bold text.
const marks = /\[([^\]\n]+)\]\((https?:\/\/[^\s)]+)\)|(https?:\/\/\S*[^\s.,;:!?)\]}'"”’>*])|\*\*(\S|\S.*?\S)\*\*/;

function markedParts(text: string): ReactNode[] {
  const parts = text.split(marks); // plain text, link's text, its address, web address, bold text, plain text …
  return parts.map((part, index) => {
    if (part === undefined || index % 5 === 1) return null;
    if (index % 5 === 0) return part;
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts hold no state
    if (index % 5 === 4) return <strong key={index}>{markedParts(part)}</strong>;
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts hold no state
      <TextLink key={index} href={part}>
        {index % 5 === 2 ? parts[index - 1] : part}
      </TextLink>
    );
  });
}

// The mark of a heading, or the indentation and the mark of an item.
const lead = /^(?:#|(\s*)(?:[*-]|(\d{1,9})\.)) (?=.*\S)/;

/** A text as it was typed, with “# ” headings, “- ”, “* ” and “1. ” lists, **bold** and links. Never interpreted as HTML. */
export function MarkedText({ text }: { text: string }) {
  const blocks: { kind: "h3" | "ol" | "ul" | "p" | ""; indent: number; lines: string[] }[] = [];
  for (const line of text.split("\n")) {
    const [mark, { length: indent } = "", number] = lead.exec(line) ?? [];
    const before = blocks.at(-1);
    const kind = mark ? (mark === "# " ? "h3" : number ? "ol" : "ul") : line.trim() && "p";
    const isNested = mark && before && indent > before.indent && /^[ou]l$/.test(before.kind);
    if (isNested) before.lines.push(`${before.lines.pop()}\n${line}`);
    else if (before?.kind === kind) before.lines.push(line);
    else blocks.push({ kind: kind || "", indent, lines: [line] });
  }
  return blocks.map(({ kind, lines }, index) => {
    if (kind === "") return null;
    const key = `${kind} ${index}`;
    if (kind === "p") {
      return (
        <p key={key} className="whitespace-pre-wrap">
          {markedParts(lines.join("\n"))}
        </p>
      );
    }
    const Line = kind === "h3" ? kind : "li";
    const marked = lines.map((item, index) => {
      const [line = "", ...nested] = item.split("\n");
      return (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines hold no state
        <Line key={index} className={kind === "h3" ? "font-semibold" : ""}>
          {markedParts(line.replace(lead, ""))}
          {nested.length > 0 && <MarkedText text={nested.join("\n")} />}
        </Line>
      );
    });
    if (kind === "h3") return marked;
    return kind === "ol" ? (
      <ol key={key} start={Number.parseInt(lines[0] ?? "", 10)} className="list-decimal pl-5">
        {marked}
      </ol>
    ) : (
      <ul key={key} className="list-disc pl-5">
        {marked}
      </ul>
    );
  });
}
