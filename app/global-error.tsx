"use client";

import "./globals.css";
import { GeistSans } from "geist/font/sans";
import { BrandBar } from "@/components/shell/brand";
import { ErrorPanel } from "@/components/shell/error-panel";

/** An error of the root layout, as a separate document. */
export default function GlobalErrorPage(props: { error: unknown; retry: () => void }) {
  return (
    <html lang="en" className={GeistSans.variable}>
      <body className="min-h-dvh font-sans">
        <title>This page couldn't load · Signet</title>
        <BrandBar />
        <main id="main" className="mx-auto w-full max-w-3xl">
          <ErrorPanel {...props} />
        </main>
      </body>
    </html>
  );
}
