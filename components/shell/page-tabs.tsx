"use client";

import { Link } from "@/components/ui/link";

type Props = {
  label: string;
  tabs: { href: string; label: string }[];
  shown: string;
  onNavigate?: (href: string) => void;
};

// Scrolls to the tab if not all fit, even after the window is narrowed.
const scrollTo = (tab: HTMLLIElement | null) => {
  const nav = tab?.closest("nav");
  if (!tab || !nav) return;
  const observer = new ResizeObserver(() => {
    nav.scrollLeft = Math.max(0, tab.offsetLeft + tab.offsetWidth - nav.clientWidth);
  });
  observer.observe(nav);
  return () => observer.disconnect();
};

/** Links that switch between the parts of a page. */
export function PageTabs({ label, tabs, shown, onNavigate }: Props) {
  return (
    <nav aria-label={label} className="-mb-2 relative overflow-x-auto border-b">
      <ul className="flex gap-1">
        {tabs.map(({ href, label }) => (
          <li
            key={href}
            ref={href === shown ? scrollTo : undefined}
            className={href === shown ? undefined : "print:hidden"}
          >
            <Link
              href={href}
              {...(onNavigate && { onNavigate: () => onNavigate(href) })}
              aria-current={href === shown ? "page" : undefined}
              className="flex h-9 items-center whitespace-nowrap border-transparent border-b-2 px-2 text-muted-foreground hover:text-foreground focus-visible:-outline-offset-2 md:px-3 aria-[current]:border-primary aria-[current]:font-medium aria-[current]:text-foreground pointer-coarse:h-11"
            >
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
