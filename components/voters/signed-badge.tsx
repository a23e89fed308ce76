import { useFormat } from "@/components/shell/format-provider";
import { Badge } from "@/components/ui/badge";
import { type SignedMark, signedAtText } from "@/components/voters/signed-mark";
import { cn } from "@/lib/utils";

/**
 * Says that a voter has signed already, with the details in its title. Nothing while it is not known, and for one who has
 * not signed: the place that it stands in keeps its height.
 */
export function SignedBadge({ mark, className }: { mark: SignedMark | undefined; className?: string }) {
  const format = useFormat();
  if (!mark || mark.state === "not-signed") return null;
  if (mark.state === "unchecked") {
    return (
      <span
        title="Whether she has signed could not be checked. Search again in a moment."
        className={cn("text-muted-foreground text-xs", className)}
      >
        not checked
      </span>
    );
  }
  return (
    <Badge tone="waiting" title={mark.at ? signedAtText(mark.at, format) : undefined} className={className}>
      signed already
    </Badge>
  );
}
