/** The first stop of the Tab key: past the navigation. */
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
