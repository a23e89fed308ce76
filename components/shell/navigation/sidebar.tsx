"use client";

import { Flag, LoaderCircle, X } from "lucide-react";
import { useLinkStatus } from "next/link";
import { usePathname, useRouter } from "next/navigation";
import { type ReactNode, useEffect, useMemo, useRef } from "react";
import {
  campaignEntries,
  campaignSettings,
  listCampaignPages,
  openPages,
  type PageEntry,
  pagePlace,
  samePage,
  teamEntries,
} from "@/components/shell/navigation/entries";
import { usePlaces } from "@/components/shell/navigation/places-provider";
import { Switcher } from "@/components/shell/navigation/switcher";
import { UserMenu } from "@/components/shell/navigation/user-menu";
import { sidebarId } from "@/components/shell/page-bar";
import { useScreenKeys } from "@/components/shell/screen-keys";
import { Link } from "@/components/ui/link";
import type { FormSubmit } from "@/lib/forms/form-state";

const linkClass =
  "flex h-8 items-center gap-2 rounded-md px-2 text-muted-foreground hover:bg-muted hover:text-foreground aria-[current]:bg-muted aria-[current]:font-medium aria-[current]:text-foreground pointer-coarse:h-11";

type Props = {
  email: string;
  name: ReactNode;
  signOut: FormSubmit;
  /** The palette's button. */
  goTo: ReactNode;
  /** The number of pending access requests. */
  requests: number;
};

/**
 * The navigation: a column on desktops, a sheet on phones. It lists what the person can open; each page checks again.
 * Switching the team or campaign stays on the same page where that can be opened.
 */
export function Sidebar({ email, name, signOut, goTo, requests }: Props) {
  const pathname = usePathname();
  const sidebar = useRef<HTMLElement>(null);
  const { userId, teams, canCreateTeam } = usePlaces();
  const here = pagePlace(pathname);
  const team = teams.find(({ id }) => id === here.team);
  const campaign = team?.campaigns.find(({ id }) => id === here.campaign);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the sheet closes after each navigation
  useEffect(() => sidebar.current?.hidePopover(), [pathname]);

  useEffect(() => {
    const desktop = window.matchMedia("(min-width: 48rem)");
    const close = () => sidebar.current?.hidePopover();
    desktop.addEventListener("change", close);
    return () => desktop.removeEventListener("change", close);
  }, []);

  return (
    <nav
      ref={sidebar}
      id={sidebarId}
      popover="auto"
      aria-label="Signet"
      className="fixed inset-y-0 right-auto left-0 m-0 hidden h-dvh max-h-none w-72 flex-col gap-4 overflow-y-auto border-r bg-sidebar p-2 backdrop:bg-[oklch(0_0_0/0.4)] open:flex md:sticky md:top-0 md:flex md:w-60 print:hidden"
    >
      <button
        type="button"
        popoverTarget={sidebarId}
        popoverTargetAction="hide"
        className="-mb-3 flex h-11 shrink-0 items-center gap-2 rounded-md px-2 text-muted-foreground hover:bg-muted md:hidden"
      >
        <X aria-hidden className="size-5" />
        Close
      </button>
      <div className="flex flex-col gap-1">
        <Switcher
          what="team"
          current={team?.id}
          label={team?.name ?? "Choose a team"}
          options={teams.map(({ id, name, permissionKeys }) => ({
            id,
            label: name,
            href: `/${id}${here.campaign ? "" : samePage(here.page, teamEntries, permissionKeys)}`,
          }))}
          icon={<Initial name={team?.name ?? ""} />}
        >
          <Link href="/?all" className={linkClass}>
            All teams
          </Link>
          {canCreateTeam && (
            <Link href="/?all&new" className={linkClass}>
              New team
            </Link>
          )}
        </Switcher>
        {team && (
          <Switcher
            what="campaign"
            current={campaign?.id}
            label={campaign?.name ?? "Choose a campaign"}
            icon={<Flag aria-hidden className="mx-0.5 size-4 shrink-0 text-muted-foreground" />}
            options={team.campaigns.map(({ id, name, archivedAt, permissionKeys, canEdit }) => ({
              id,
              label: name,
              href: `/${team.id}/campaign/${id}${samePage(here.page, listCampaignPages({ canEdit }), permissionKeys)}`,
              ...(archivedAt && { note: "archived" }),
            }))}
          >
            <Link href={`/${team.id}`} className={linkClass}>
              All campaigns
            </Link>
          </Switcher>
        )}
        {goTo}
      </div>
      {team && campaign && (
        <Entries
          entries={campaign.canEdit ? entriesOfEditor : campaignEntries}
          pages={listCampaignPages(campaign)}
          base={`/${team.id}/campaign/${campaign.id}`}
          place={campaign}
        />
      )}
      {team && (
        <Entries
          heading="Team"
          entries={campaign ? entriesInCampaign : entriesOfTeam}
          base={`/${team.id}`}
          place={team}
          requests={requests}
        />
      )}
      <div className="mt-auto">
        <UserMenu userId={userId} email={email} name={name} signOut={signOut} placement="above" />
      </div>
    </nav>
  );
}

const entriesOfTeam: PageEntry[] = [
  { label: "Campaigns", href: "", key: null, icon: Flag, chord: "c" },
  ...teamEntries,
];
const entriesOfEditor = [...campaignEntries, campaignSettings];
// In a campaign its own voters and dashboard are listed instead of the team's.
const entriesInCampaign = entriesOfTeam.filter(({ chord }) => !campaignEntries.some((entry) => entry.chord === chord));

type EntriesProps = {
  heading?: string;
  entries: PageEntry[];
  /** The pages that shortcuts open, if there are more than the entries. */
  pages?: PageEntry[];
  base: string;
  place: { permissionKeys: string[] };
  requests?: number;
};

function Entries({ heading, entries, pages = entries, base, place, requests = 0 }: EntriesProps) {
  const pathname = usePathname();
  const open = openPages(entries, place.permissionKeys);
  const { push } = useRouter();
  useScreenKeys(
    useMemo(
      () =>
        openPages(pages, place.permissionKeys).map(({ label, href, chord }) => ({
          key: `g ${chord}`,
          does: `Go to ${label}`,
          run: () => {
            document.getElementById("main")?.focus({ preventScroll: true }); // not a field
            push(`${base}${href}`);
          },
        })),
      [pages, place.permissionKeys, base, push],
    ),
  );
  if (open.length === 0) return null;
  return (
    <div>
      {heading && <h2 className="px-2 pb-1 font-medium text-muted-foreground text-xs">{heading}</h2>}
      <ul className="flex flex-col gap-0.5">
        {open.map(({ label, href, icon: Icon }) => (
          <li key={href}>
            <Link href={`${base}${href}`} aria-current={ariaCurrent(pathname, base, href)} className={linkClass}>
              <Icon aria-hidden className="mx-0.5 size-4 shrink-0" />
              {label}
              {href === requestsPage && requests > 0 && <PendingCount count={requests} />}
              <LinkProgress />
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

const requestsPage = "/activity";

function PendingCount({ count }: { count: number }) {
  return (
    <span className="ml-auto rounded-md bg-primary px-1.5 font-medium text-primary-foreground text-xs tabular-nums leading-5">
      {count}
      <span className="sr-only"> access {count === 1 ? "request" : "requests"}</span>
    </span>
  );
}

/** Marks this page's link, or the link of the page that it belongs to: the register belongs to Signatures. */
function ariaCurrent(pathname: string, base: string, href: string) {
  if (pathname === `${base}${href}`) return "page";
  return href !== "" && pathname.startsWith(`${base}${href}/`) ? "true" : undefined;
}

function LinkProgress() {
  const { pending } = useLinkStatus();
  return pending && <LoaderCircle aria-hidden className="appear-late ml-auto size-3.5" />;
}

function Initial({ name }: { name: string }) {
  return (
    <span
      aria-hidden
      className="flex size-5 shrink-0 items-center justify-center rounded-md bg-primary font-semibold text-primary-foreground text-xs"
    >
      {[...name][0]?.toUpperCase()}
    </span>
  );
}
