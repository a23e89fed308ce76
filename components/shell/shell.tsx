import type { ReactNode } from "react";
import { Sidebar } from "@/components/shell/sidebar";
import { SkipLink } from "@/components/shell/skip-link";
import type { FormSubmit } from "@/lib/forms/form-state";

/** The frame around the pages of a team: sidebar and content. */
export function Shell({
  email,
  signOut,
  goTo,
  requests,
  children,
}: {
  email: string;
  signOut: FormSubmit;
  /** The palette's button, for the sidebar. */
  goTo: ReactNode;
  /** How many requests for access are pending. */
  requests: number;
  children: ReactNode;
}) {
  return (
    <div className="md:grid md:grid-cols-[15rem_minmax(0,1fr)] print:block">
      <SkipLink />
      <Sidebar email={email} signOut={signOut} goTo={goTo} requests={requests} />
      <main id="main" tabIndex={-1} className="min-w-0">
        {children}
      </main>
    </div>
  );
}
