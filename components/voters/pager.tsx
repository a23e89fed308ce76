import { ChevronLeft, ChevronRight } from "lucide-react";
import { Button } from "@/components/ui/button";
import { cn } from "@/lib/utils";
import { pageSize } from "@/lib/voters/voter-query";

/** To the page before and after. `wide` is for the end of a long list, under the thumb. */
export function Pager({
  before,
  after,
  wide = false,
  onTurn,
  className,
}: {
  before: boolean;
  after: boolean;
  wide?: boolean;
  onTurn: (by: 1 | -1) => void;
  className?: string;
}) {
  const size = wide ? "default" : "icon";
  const turn = cn(wide && "flex-1");
  return (
    <nav aria-label={wide ? "Pages, below the list" : "Pages"} className={cn("flex gap-1", wide && "gap-2", className)}>
      <Button
        variant="outline"
        size={size}
        aria-label={`Previous ${pageSize} voters`}
        title="Previous page (Page Up)"
        aria-disabled={!before}
        className={turn}
        onClick={() => before && onTurn(-1)}
      >
        <ChevronLeft aria-hidden />
        {wide && "Previous"}
      </Button>
      <Button
        variant="outline"
        size={size}
        aria-label={`Next ${pageSize} voters`}
        title="Next page (Page Down)"
        aria-disabled={!after}
        className={turn}
        onClick={() => after && onTurn(1)}
      >
        {wide && "Next"}
        <ChevronRight aria-hidden />
      </Button>
    </nav>
  );
}
