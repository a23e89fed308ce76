import { useFormat } from "@/components/shell/format-provider";
import { Badge } from "@/components/ui/badge";
import { type SignedMark, signedAtText } from "@/lib/signatures/signed-mark";
import { cn } from "@/lib/utils";

/** Says whether a voter has signed already, with the details in its title; what is not known never looks like a no. */
export function SignedBadge({ mark, className }: { mark: SignedMark | undefined; className?: string }) {
  const format = useFormat();
  if (mark?.state !== "signed") {
    const [text, title] = mark ? unsigned[mark.state] : ["checking…"];
    return (
      <span title={title} className={cn("whitespace-nowrap text-muted-foreground text-xs", className)}>
        {text}
      </span>
    );
  }
  return (
    <Badge tone="waiting" title={mark.at ? signedAtText(mark.at, format) : undefined} className={className}>
      signed already
    </Badge>
  );
}

const unsigned = {
  "not-signed": ["not signed"],
  unchecked: ["not checked", "Whether she has signed could not be checked. Search again in a moment."],
};
