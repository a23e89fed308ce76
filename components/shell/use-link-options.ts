import { type KeyboardEvent, useEffect, useId, useState } from "react";

/**
 * A field over a list of links, by keyboard: arrows, Home and End mark an option, Enter goes to it. What it gives is for the
 * field (a combobox), the list (a listbox) and each option (a link).
 */
export function useLinkOptions<Option extends { id: string }>(options: Option[]) {
  const id = useId();
  const [index, mark] = useState(0);
  const last = options.length - 1;
  const active = options[Math.min(index, last)];
  const listId = `${id}-list`;
  const optionId = (option: Option) => `${id}-${option.id}`;
  const activeId = active && optionId(active);

  useEffect(() => {
    if (activeId) document.getElementById(activeId)?.scrollIntoView({ block: "nearest" });
  }, [activeId]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const moves: Record<string, number> = {
      ArrowDown: index >= last ? 0 : index + 1,
      ArrowUp: index <= 0 ? last : index - 1,
      Home: 0,
      End: last,
    };
    const next = moves[event.key];
    if (event.key === "Enter" && activeId) document.getElementById(activeId)?.click();
    else if (next !== undefined) mark(Math.max(0, next));
    else return;
    event.preventDefault();
  };

  return {
    /** Marks the option at an index, as for another list. */
    mark,
    field: {
      role: "combobox",
      "aria-expanded": true,
      "aria-controls": listId,
      "aria-activedescendant": activeId,
      "aria-autocomplete": "list",
      autoComplete: "off",
      spellCheck: false,
      onKeyDown,
    },
    listId,
    option: (option: Option) => ({
      id: optionId(option),
      role: "option",
      tabIndex: -1,
      "aria-selected": option === active,
    }),
  } as const;
}
