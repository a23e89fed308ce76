"use client";

import { BrandBar } from "@/components/shell/brand";
import { ErrorPanel } from "@/components/shell/error-panel";

/** An error of a page without the shell, or of the shell itself. */
export default function ErrorPage(props: { error: unknown; retry: () => void }) {
  return (
    <>
      <BrandBar />
      <main id="main" className="mx-auto w-full max-w-3xl">
        <ErrorPanel {...props} />
      </main>
    </>
  );
}
