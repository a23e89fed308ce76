import { ChevronLeft, ChevronRight } from "lucide-react";
import { Button } from "@/components/ui/button";
import { cn } from "@/lib/utils";

const turns = [
  { by: -1, word: "Previous", key: "Page Up", Icon: ChevronLeft },
  { by: 1, word: "Next", key: "Page Down", Icon: ChevronRight },
] as const;

type Props = {
  /** Whether there is a page before and after this one. */
  before: boolean;
  after: boolean;
  /** Names a page: `25 voters`. */
  page: string;
  /** Whether Page Up and Page Down also turn pages. */
  hasKeys?: boolean;
  /** True at the end of a long list, where a thumb reaches it. */
  wide?: boolean;
  onTurn: (by: 1 | -1) => void;
  className?: string;
};

/** Buttons to the previous and the next page. */
export function Pager({ before, after, page, hasKeys = false, wide = false, onTurn, className }: Props) {
  return (
    <nav aria-label={wide ? "Pages, below the list" : "Pages"} className={cn("flex gap-1", wide && "gap-2", className)}>
      {turns.map(({ by, word, key, Icon }) => {
        const isPossible = by === 1 ? after : before;
        return (
          <Button
            key={word}
            variant="outline"
            size={wide ? "default" : "icon"}
            aria-label={`${word} ${page}`}
            title={`${word} page${hasKeys ? ` (${key})` : ""}`}
            aria-disabled={!isPossible}
            className={cn(wide && "flex-1", wide && by === 1 && "flex-row-reverse")}
            onClick={() => isPossible && onTurn(by)}
          >
            <Icon aria-hidden />
            {wide && word}
          </Button>
        );
      })}
    </nav>
  );
}
