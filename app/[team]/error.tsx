"use client";

import { ErrorPanel } from "@/components/shell/error-panel";
import { PageBar } from "@/components/shell/page-bar";

/** An error of a page of a team. */
export default function TeamErrorPage(props: { error: unknown; retry: () => void }) {
  return (
    <>
      <PageBar />
      <ErrorPanel {...props} />
    </>
  );
}
