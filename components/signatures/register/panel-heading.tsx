"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useEffect, useMemo, useRef } from "react";
import { useScreenKeys } from "@/components/shell/screen-keys";

/** The heading of a part that a link of the page has opened: it takes the focus. Esc goes to `closeTo`. */
export function PanelHeading({ closeTo, children }: { closeTo: string; children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { replace } = useRouter();
  useEffect(() => heading.current?.focus(), []);
  useScreenKeys(
    useMemo(
      () => [{ key: "Escape", does: "Close the line", run: () => replace(closeTo, { scroll: false }) }],
      [replace, closeTo],
    ),
  );
  return (
    <h2 ref={heading} tabIndex={-1} className="py-1 font-semibold text-lg outline-none">
      {children}
    </h2>
  );
}
