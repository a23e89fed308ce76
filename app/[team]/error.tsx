"use client";

import { ErrorPanel } from "@/components/shell/error-panel";
import { PageBar } from "@/components/shell/page-bar";

/** Error boundary for team pages. */
export default function TeamErrorPage(props: { error: unknown; retry: () => void }) {
  return (
    <>
      <PageBar />
      <ErrorPanel {...props} />
    </>
  );
}
