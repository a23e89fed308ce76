"use client";

import { type ReactNode, useEffect, useRef } from "react";

/** Scrolls its content into view when `of` changes, unless that is undefined. */
export function InView({ id, of, children }: { id: string; of: string | undefined; children: ReactNode }) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (of !== undefined) element.current?.scrollIntoView({ block: "nearest" });
  }, [of]);
  return (
    <div ref={element} id={id} aria-live="polite" className="scroll-my-16">
      {children}
    </div>
  );
}
