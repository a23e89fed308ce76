"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useEffect, useMemo, useRef } from "react";
import { useScreenKeys } from "@/components/shell/screen-keys";

const findKeys = [
  { key: "/", does: "Find a name", run: () => document.querySelector<HTMLElement>("input[name=name]")?.focus() },
];

/** Makes `/` go to the name in the filter. */
export function FindKey() {
  useScreenKeys(findKeys);
  return null;
}

/** The heading of a panel that a link has opened: it gets the focus. Esc goes to `closeTo`. */
export function PanelHeading({ closeTo, children }: { closeTo: string; children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { replace } = useRouter();
  useEffect(() => heading.current?.focus(), []);
  useScreenKeys(
    useMemo(
      () => [{ key: "Escape", does: "Close line", run: () => replace(closeTo, { scroll: false }) }],
      [replace, closeTo],
    ),
  );
  return (
    <h2 ref={heading} tabIndex={-1} className="py-1 font-semibold text-lg outline-none">
      {children}
    </h2>
  );
}
