import type { Metadata } from "next";
import { BrandBar } from "@/components/shell/brand";
import { ButtonLink } from "@/components/ui/link";

export const metadata: Metadata = { title: "Page not found" };

/** A URL without a page. */
export default function NotFoundPage() {
  return (
    <>
      <BrandBar />
      <main id="main" className="mx-auto flex w-full max-w-3xl flex-col items-start gap-4 px-4 py-8 md:px-6 md:py-12">
        <h1 className="font-semibold text-xl">Page not found</h1>
        <p className="leading-6">Check the address, or start from your teams.</p>
        <ButtonLink href="/">Your teams</ButtonLink>
      </main>
    </>
  );
}
