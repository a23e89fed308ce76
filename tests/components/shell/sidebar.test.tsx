import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, beforeEach, expect, it, vi } from "vitest";
import { listCampaignPages, type PageEntry, teamEntries } from "@/components/shell/navigation/entries";
import { PlacesProvider } from "@/components/shell/navigation/places-provider";
import { Sidebar } from "@/components/shell/navigation/sidebar";
import { ScreenKeysProvider } from "@/components/shell/screen-keys";
import { allPermissionKeys } from "@/lib/permissions/permission-keys";

const path = vi.hoisted(() => ({ now: "" }));
const push = vi.hoisted(() => vi.fn());
const router = vi.hoisted(() => ({ push }));
vi.mock("next/navigation", () => ({ usePathname: () => path.now, useRouter: () => router }));

beforeAll(() => {
  HTMLElement.prototype.hidePopover = () => undefined;
  vi.stubGlobal("matchMedia", () => new EventTarget());
});
beforeEach(() => push.mockReset());

const firstOfTeam: Pick<PageEntry, "href" | "chord"> = { href: "", chord: "c" };

function show(pathname: string, keys: string[], canEdit: boolean, canCreateTeam = false) {
  path.now = pathname;
  const campaign = { id: "rents", name: "Rents", archivedAt: null, permissionKeys: keys, canEdit };
  const region = { timeZone: "UTC", locale: "en-US", secondFactorFrom: null };
  const teams = [{ id: "river", name: "River", ...region, permissionKeys: keys, campaigns: [campaign] }];
  render(
    <ScreenKeysProvider>
      <PlacesProvider userId="" teams={teams} canCreateTeam={canCreateTeam}>
        <Sidebar name="Ada" email="a@x.test" signOut={vi.fn()} goTo={null} requests={0} />
      </PlacesProvider>
    </ScreenKeysProvider>,
  );
}

const opened = () => push.mock.calls.map(([href]) => href);
async function press(pages: Pick<PageEntry, "chord">[]) {
  for (const { chord } of pages) await userEvent.keyboard(`g${chord}`);
}

it("opens each page of a team with its own chord", async () => {
  const pages = [firstOfTeam, ...teamEntries];
  show("/river", allPermissionKeys, true);
  await press(pages);
  expect(opened()).toEqual(pages.map(({ href }) => `/river${href}`));
});

it("takes the focus to the page, so that no field of it takes the next chord", async () => {
  const main = document.body.appendChild(document.createElement("main"));
  Object.assign(main, { id: "main", tabIndex: -1 });
  show("/river", allPermissionKeys, true);
  await userEvent.keyboard("gv");
  expect(document.activeElement).toBe(main);
  main.remove();
});

it("opens each page of a campaign and the team's other pages with their own chords", async () => {
  const pages = listCampaignPages({ canEdit: true });
  const ofTeam = [firstOfTeam, ...teamEntries.filter(({ label }) => label !== "Voters" && label !== "Dashboard")];
  show("/river/campaign/rents/voters", allPermissionKeys, true);
  await press([...pages, ...ofTeam]);
  expect(opened()).toEqual([
    ...pages.map(({ href }) => `/river/campaign/rents${href}`),
    ...ofTeam.map(({ href }) => `/river${href}`),
  ]);
});

it("opens no page that the person can't open", async () => {
  show("/river/campaign/rents", ["campaign.view"], false);
  await press(listCampaignPages({ canEdit: true }));
  expect(opened()).toEqual(["/river/campaign/rents", "/river/campaign/rents/report"]);
});

it.each([true, false])("the team switcher leads to a new team if the person may create one: %s", async (may) => {
  show("/river", allPermissionKeys, true, may);
  await userEvent.click(screen.getByRole("button", { name: /^Switch team/, hidden: true }));
  await screen.findByRole("link", { name: "All teams" });
  expect(screen.queryByRole("link", { name: "New team" })?.getAttribute("href")).toBe(may ? "/?all&new" : undefined);
});
