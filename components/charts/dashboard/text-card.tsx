import { useId, useRef } from "react";
import { type CardEditing, CardMenu, MoveHandle } from "@/components/charts/dashboard/card-actions";
import { MarkedText } from "@/components/charts/dashboard/marked-text";
import { ScrollArea } from "@/components/ui/section";
import { textTitle } from "@/lib/charts/definition/dashboard";
import type { DashboardChart } from "@/lib/charts/definition/stored-chart";
import { cn } from "@/lib/utils";

type Props = { card: DashboardChart; editing: CardEditing | undefined };

/** A card of a dashboard with a text, and a title if it has one. */
export function TextCard({ card, editing }: Props) {
  const id = useId();
  const article = useRef<HTMLElement>(null);
  const hasTitle = card.name !== textTitle(card.text ?? "");
  const text = (
    <ScrollArea
      aria-labelledby={id}
      className={cn(
        "wrap-anywhere flex max-h-72 flex-col gap-2 overflow-y-auto focus-visible:-outline-offset-2 print:max-h-none",
        hasTitle ? "mb-3 px-4" : "min-w-0 flex-1 py-1",
      )}
    >
      <MarkedText text={card.text ?? ""} />
    </ScrollArea>
  );
  return (
    <article ref={article} aria-labelledby={id} className="flex min-w-0 flex-col rounded-md border bg-background">
      <div className={cn("flex min-h-11 gap-1 py-1.5 pr-1.5 pl-4", hasTitle ? "items-center" : "items-start")}>
        {editing && <MoveHandle chart={card} editing={editing} card={article} />}
        <h2 id={id} title={card.name} className={hasTitle ? "min-w-0 flex-1 truncate font-semibold" : "sr-only"}>
          {card.name}
        </h2>
        {!hasTitle && text}
        <CardMenu chart={card} card={article} editing={editing} />
      </div>
      {hasTitle && text}
    </article>
  );
}
