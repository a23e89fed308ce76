"use client";

import { ChevronDown, ChevronUp, X } from "lucide-react";
import { useRouter } from "next/navigation";
import { type ReactNode, useEffect, useMemo, useRef } from "react";
import { useScreenKeys } from "@/components/shell/screen-keys";
import { ButtonLink } from "@/components/ui/link";

const findKeys = [
  { key: "/", does: "Find a name", run: () => document.querySelector<HTMLElement>("input[name=name]")?.focus() },
];

/** Makes `/` go to the name in the filter. */
export function FindKey() {
  useScreenKeys(findKeys);
  return null;
}

/** Prints the page as soon as it is shown: the lines without the filter's fields. */
export function PrintWhenOpened() {
  useEffect(() => window.print(), []);
  return null;
}

/**
 * The head of the panel of a line, whose heading gets the focus. Esc closes it, and its link in the list, or the first one,
 * gets the focus; ↑ and ↓ go to the lines around it, unless a form is open: what is typed would be lost.
 */
export function PanelHead({
  linkId,
  closeTo,
  previous,
  next,
  children,
}: {
  linkId: string;
  closeTo: string;
  /** The addresses of the lines around it; null at an end. */
  previous: string | null;
  next: string | null;
  children: ReactNode;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { replace } = useRouter();
  useEffect(() => {
    heading.current?.focus();
    return () => {
      requestAnimationFrame(() => {
        const link = document.getElementById(linkId) ?? document.querySelector<HTMLElement>("a[id^=line-]");
        if (document.activeElement === document.body) link?.focus();
      });
    };
  }, [linkId]);
  useScreenKeys(
    useMemo(() => {
      const go = (href: string | null) => () => href && replace(href, { scroll: false });
      const leave = (href: string | null) => () => !document.querySelector("[data-change][open]") && go(href)();
      return [
        { key: "Escape", does: "Close line", run: go(closeTo) },
        { key: "ArrowUp", does: "Previous line", run: leave(previous) },
        { key: "ArrowDown", does: "Next line", run: leave(next) },
      ];
    }, [replace, closeTo, previous, next]),
  );
  return (
    <div className="flex items-start gap-1">
      <h2 ref={heading} tabIndex={-1} className="mr-auto py-1 font-semibold text-lg outline-none">
        {children}
      </h2>
      {previous && (
        <ButtonLink href={previous} replace scroll={false} aria-label="Previous line" variant="ghost" size="icon">
          <ChevronUp aria-hidden />
        </ButtonLink>
      )}
      {next && (
        <ButtonLink href={next} replace scroll={false} aria-label="Next line" variant="ghost" size="icon">
          <ChevronDown aria-hidden />
        </ButtonLink>
      )}
      <ButtonLink href={closeTo} replace scroll={false} aria-label="Close line" variant="ghost" size="icon">
        <X aria-hidden />
      </ButtonLink>
    </div>
  );
}
