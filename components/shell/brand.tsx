import type { ReactNode } from "react";

/** Signet's mark: a ring with a seal. Decorative: put the name next to it. */
export function BrandMark({ className }: { className?: string }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 32 32" className={className}>
      <rect width="32" height="32" rx="7" className="fill-primary" />
      <circle cx="16" cy="19.5" r="6.75" fill="none" strokeWidth="3" className="stroke-primary-foreground" />
      <rect x="9.5" y="5.5" width="13" height="8" rx="2.25" className="fill-primary-foreground" />
      <path
        d="m13.25 9.5 2 2 3.75-3.75"
        fill="none"
        strokeWidth="1.75"
        strokeLinecap="round"
        strokeLinejoin="round"
        className="stroke-primary"
      />
    </svg>
  );
}

/** The bar over pages outside of teams. `children` are at the right. */
export function BrandBar({ children }: { children?: ReactNode }) {
  return (
    <header className="flex h-12 items-center gap-4 border-b px-4 pointer-coarse:h-14 md:px-6">
      <p className="flex items-center gap-2 font-semibold">
        <BrandMark className="size-5" />
        Signet
      </p>
      <div className="ml-auto flex min-w-0 max-w-96 items-center gap-2">{children}</div>
    </header>
  );
}

/** The first element that Tab reaches. It skips the navigation. */
export function SkipLink() {
  return (
    <a
      href="#main"
      className="-translate-y-20 fixed print:hidden top-2 left-2 z-50 rounded-md bg-primary px-3 py-2 font-medium text-primary-foreground text-sm focus:translate-y-0"
    >
      Skip to content
    </a>
  );
}
