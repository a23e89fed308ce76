"use client";

import { ErrorPanel } from "@/components/shell/error-panel";
import { PageBar } from "@/components/shell/page-bar";

/** An error inside the shell, which stays. */
export default function TeamErrorPage(props: { error: unknown; retry: () => void }) {
  return (
    <>
      <PageBar />
      <ErrorPanel {...props} />
    </>
  );
}
