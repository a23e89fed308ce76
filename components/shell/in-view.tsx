"use client";

import { type ReactNode, useEffect, useRef } from "react";

/** Scrolls an answer into view when `of`, its question, changes; undefined for no question. */
export function InView({ id, of, children }: { id: string; of: string | undefined; children: ReactNode }) {
  const answer = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (of !== undefined) answer.current?.scrollIntoView({ block: "nearest" });
  }, [of]);
  return (
    <div ref={answer} id={id} aria-live="polite" className="scroll-my-16">
      {children}
    </div>
  );
}
