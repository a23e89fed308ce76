import type { ReactNode } from "react";
import { BrandMark } from "@/components/shell/brand";

/** A page for people who aren't signed in. The note is hidden once a form on it shows where to go next. */
export function AuthPage({ title, note, children }: { title: string; note: ReactNode; children: ReactNode }) {
  return (
    <main id="main" className="group mx-auto flex w-full max-w-88 flex-col gap-6 px-4 py-16 md:py-28">
      <div className="flex flex-col gap-8">
        <div className="flex flex-col gap-1">
          <p className="flex items-center gap-2 font-semibold text-lg">
            <BrandMark className="size-6" />
            Signet
          </p>
          <p className="text-muted-foreground">Enter, check, and count petition signatures.</p>
        </div>
        <div className="flex flex-col gap-1">
          <h1 className="font-semibold text-xl">{title}</h1>
          <p className="wrap-anywhere text-muted-foreground group-has-[form>a]:hidden">{note}</p>
        </div>
      </div>
      {children}
    </main>
  );
}
