/** Signet's mark: a ring with a seal. Decorative, so put the name beside it. */
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
