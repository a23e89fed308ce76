"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useEffect, useMemo, useRef } from "react";
import { useScreenKeys } from "@/components/shell/screen-keys";

/** Lets `/` go to the field with this id. */
export function FindKey({ fieldId }: { fieldId: string }) {
  useScreenKeys(
    useMemo(() => [{ key: "/", does: "Find a name", run: () => document.getElementById(fieldId)?.focus() }], [fieldId]),
  );
  return null;
}

/** The heading of a panel that a link has opened: it takes the focus. Esc goes to `closeTo`. */
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
