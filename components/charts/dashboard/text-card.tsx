import { useId, useRef } from "react";
import { type CardEditing, CardMenu, MoveHandle } from "@/components/charts/dashboard/card-actions";
import type { DashboardChart } from "@/lib/charts/definition/stored-chart";

type Props = { card: DashboardChart; editing: CardEditing | undefined };

/** A card of a dashboard with a title and a text, as it was typed. */
export function TextCard({ card, editing }: Props) {
  const id = useId();
  const article = useRef<HTMLElement>(null);
  return (
    <article ref={article} aria-labelledby={id} className="flex min-w-0 flex-col rounded-md border bg-background">
      <div className="flex min-h-11 items-center gap-1 py-1.5 pr-1.5 pl-4">
        {editing && <MoveHandle chart={card} editing={editing} card={article} />}
        <h2 id={id} title={card.name} className="min-w-0 flex-1 truncate font-semibold">
          {card.name}
        </h2>
        <CardMenu chart={card} card={article} editing={editing} />
      </div>
      <p
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
        tabIndex={0}
        className="wrap-anywhere mb-3 max-h-72 overflow-y-auto whitespace-pre-wrap px-4 focus-visible:-outline-offset-2 print:max-h-none"
      >
        {card.text}
      </p>
    </article>
  );
}
