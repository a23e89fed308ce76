"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useEffect, useEffectEvent, useRef, useState, useTransition } from "react";
import { useDebounced } from "@/components/forms/use-debounced";
import { Button } from "@/components/ui/button";

const delayMs = 250;

/**
 * A filter that applies while it is changed, and without JavaScript by its button. It is saved in the address, which can be
 * shared. A choice from a list can be undone with Back; what is typed replaces the address. `query` is the address's: fields
 * follow it when something else changes it.
 */
export function LiveForm({
  path,
  query,
  className,
  children,
}: {
  path: string;
  query: string;
  className: string;
  children: ReactNode;
}) {
  const { push, replace } = useRouter();
  const form = useRef<HTMLFormElement>(null);
  const [typed, setTyped] = useState<string | null>(null);
  const [pending, startTransition] = useTransition();
  const unsent = useRef<string | null>(null); // typed but not sent: the fields are ahead of the URL
  const hasChosen = useRef(false);
  const currentQuery = sortedQuery(query);

  const send = () => {
    const sent = unsent.current;
    if (sent === null || !form.current || !navigator.onLine) return;
    if (!form.current.checkValidity()) return; // a half typed day
    const go = hasChosen.current ? push : replace;
    unsent.current = null;
    hasChosen.current = false;
    startTransition(() => go(path + (sent && `?${sent}`), { scroll: false }));
  };
  useDebounced(typed, send, delayMs);
  const onOnline = useEffectEvent(send);
  useEffect(() => {
    const resume = () => onOnline();
    window.addEventListener("online", resume);
    return () => window.removeEventListener("online", resume);
  }, []);
  useEffect(() => {
    if (pending || unsent.current !== null) return;
    const params = new URLSearchParams(currentQuery);
    for (const field of form.current?.elements ?? []) {
      const isField = field instanceof HTMLInputElement || field instanceof HTMLSelectElement;
      const value = isField ? (params.get(field.name) ?? "") : "";
      if (isField && field.value.trim() !== value) field.value = value;
    }
  }, [currentQuery, pending]);

  return (
    <form
      ref={form}
      action={path}
      aria-label="Filter"
      aria-busy={pending}
      className={className}
      onChange={(event) => {
        hasChosen.current ||= event.target instanceof HTMLSelectElement;
        unsent.current = formQuery(event.currentTarget);
        setTyped(unsent.current);
      }}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {children}
      <noscript>
        <Button type="submit" variant="outline">
          Filter
        </Button>
      </noscript>
    </form>
  );
}

function formQuery(form: HTMLFormElement) {
  const fields = [...new FormData(form)].map(([name, value]) => [name, String(value).trim()]);
  return sortedQuery(new URLSearchParams(fields.filter(([, value]) => value !== "")));
}

function sortedQuery(query: string | URLSearchParams) {
  const params = new URLSearchParams(query);
  params.sort();
  return params.toString();
}
