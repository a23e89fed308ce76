import type { Metadata } from "next";
import Link from "next/link";
import { BrandBar } from "@/components/shell/brand-bar";
import { buttonVariants } from "@/components/ui/button";

export const metadata: Metadata = { title: "Page not found" };

/** An address that is no page. */
export default function NotFoundPage() {
  return (
    <>
      <BrandBar />
      <main id="main" className="mx-auto flex w-full max-w-3xl flex-col items-start gap-4 px-4 py-8 md:px-6 md:py-12">
        <h1 className="font-semibold text-xl">There is no page at this address</h1>
        <p className="leading-6">
          The address may be mistyped, or the page has moved. Your teams and campaigns are where they were.
        </p>
        <Link href="/" prefetch={false} className={buttonVariants()}>
          Go to your teams
        </Link>
      </main>
    </>
  );
}
