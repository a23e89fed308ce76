import type { ReactNode } from "react";
import { Link } from "@/components/ui/link";
import type { CampaignOfTeam } from "@/lib/ids";
import type { RegisterFilter, RegisterView } from "@/lib/signatures/register/filter";
import { registerPath } from "@/lib/signatures/register/register-path";
import { cn } from "@/lib/utils";

/**
 * Numbers side by side, up to four to a row where there is room. The lines between them survive the zoom of the printed
 * report.
 */
export function Figures({ children }: { children: ReactNode }) {
  return (
    <dl className="flex flex-wrap gap-px overflow-hidden rounded-md border bg-border print:gap-[1.25px]">{children}</dl>
  );
}

/** A number with its label above and a note below; a dash while it is unknown. */
export function Figure({ label, note, children }: { label: string; note?: ReactNode; children: ReactNode }) {
  const known = children !== null && children !== undefined && children !== false;
  return (
    <div className="flex min-w-0 grow basis-2/5 flex-col gap-0.5 bg-background px-4 py-3 lg:basis-1/5 print:basis-1/5">
      <dt className="text-muted-foreground text-xs">{label}</dt>
      <dd>
        <span className={known ? "font-semibold text-xl" : "text-muted-foreground text-xl"}>
          {known ? children : "–"}
        </span>
        {note && <span className="block text-muted-foreground text-sm">{note}</span>}
      </dd>
    </div>
  );
}

type FigureLinkProps = { href: string | null; quiet?: boolean; children: ReactNode };

/** Links to a page, or with `#` to a part of this one; null leaves only the text. `quiet` is for a large number. */
export function FigureLink({ href, quiet = false, children }: FigureLinkProps) {
  if (href === null) return children;
  const Anchor = href.startsWith("#") ? "a" : Link;
  const look = "underline decoration-1 decoration-input underline-offset-4 hover:decoration-current";
  return (
    <Anchor href={href} className={cn(look, !quiet && "text-primary")}>
      {children}
    </Anchor>
  );
}

type RegisterLinkProps = Omit<FigureLinkProps, "href"> & {
  /** Null for those who may not see the lines: only the text. */
  place: CampaignOfTeam | null;
  show: RegisterFilter & RegisterView;
};

/** Links to the lines that a number counts. */
export function RegisterLink({ place, show, ...link }: RegisterLinkProps) {
  return <FigureLink href={place && registerPath(place, show)} {...link} />;
}

/** A goal's progress as a bar next to a text that says the same. `even`, a share, marks where an even pace would be today. */
export function GoalBar({ share, even = null }: { share: number; even?: number | null }) {
  return (
    <div aria-hidden className="relative h-2 rounded-md bg-muted">
      <div
        className={share >= 1 ? "h-full rounded-md bg-success-mark" : "h-full rounded-md bg-primary"}
        style={{ width: `${Math.min(1, share) * 100}%` }}
      />
      {even !== null && even < 1 && (
        <span className="absolute -inset-y-1 w-0.5 rounded-md bg-foreground" style={{ left: `${even * 100}%` }} />
      )}
    </div>
  );
}
