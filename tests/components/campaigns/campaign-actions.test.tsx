import { fireEvent, render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { CampaignActions } from "@/components/campaigns/campaign-actions";
import { ErasureNote } from "@/components/campaigns/erasure-note";
import { AccessChanges } from "@/components/team-access/access-changes";
import type { PreviewAccess } from "@/components/team-access/change-review";
import { formatOf } from "@/lib/format/format-of";
import { plainCampaign } from "../../support/no-official-check.ts";

const router = { refresh: vi.fn() };
vi.mock("next/navigation", () => ({ useRouter: () => router }));

const settings = { ...plainCampaign, signatureGoal: 10_000 };

async function archive(eraseAfterDays: number | null) {
  vi.useFakeTimers({ now: Date.parse("2026-11-25T12:00:00Z"), toFake: ["Date"] });
  const preview = vi.fn<PreviewAccess>(() => new Promise(() => undefined));
  render(
    <AccessChanges team={{ id: "north", name: "North" }} save={vi.fn()} preview={preview}>
      <CampaignActions
        place={{ team: "north", campaign: "lakes" }}
        settings={settings}
        others={[]}
        shareable={[]}
        isErased={false}
        eraseAfterDays={eraseAfterDays}
        canExport
      />
    </AccessChanges>,
  );
  fireEvent.click(screen.getByRole("button", { name: "Archive campaign" }));
  const dialog = await screen.findByRole("dialog");
  vi.useRealTimers();
  return dialog;
}

test("before a campaign is archived, it says when its personal data is erased, and links to the export", async () => {
  expect((await archive(30)).textContent).toContain("will be erased on Dec 25, 2026.");
  const link = screen.getByRole("link", { name: "Export the signatures" });
  expect(link.getAttribute("href")).toBe("/north/campaign/lakes/signatures/register");
});

test.each([
  ["Share campaign", "Share Lakes with West?", { kind: "attach-campaign", team: "west", campaign: "lakes" }],
  [
    "Stop sharing",
    "Stop sharing Lakes with South?",
    { kind: "stop-sharing", team: "north", campaign: "lakes", from: "south" },
  ],
])("%s previews the change for the team that is chosen", async (button, title, change) => {
  const preview = vi.fn<PreviewAccess>(() => new Promise(() => undefined));
  render(
    <AccessChanges team={{ id: "north", name: "North" }} save={vi.fn()} preview={preview}>
      <CampaignActions
        place={{ team: "north", campaign: "lakes" }}
        settings={settings}
        others={[{ id: "south", name: "South" }]}
        shareable={[{ id: "west", name: "West" }]}
        isErased={false}
        eraseAfterDays={null}
        canExport
      />
    </AccessChanges>,
  );
  fireEvent.click(screen.getByRole("button", { name: button }));
  fireEvent.click(await screen.findByRole("button", { name: "Preview changes" }));
  await screen.findByRole("heading", { name: title });
  expect(JSON.parse(String(preview.mock.calls[0]?.[1].get("change")))).toEqual(change);
});

test("a team that doesn't run the campaign reads who can keep its data", () => {
  const note = { eraseAt: "2026-12-25T12:00:00Z", erasedAt: null, canExport: false, format: formatOf() };
  render(<ErasureNote place={{ team: "north", campaign: "lakes" }} otherRunner="South" {...note} />);
  screen.getByText(/To keep its data, ask South to restore the campaign\.$/);
  expect(screen.queryByRole("link")).toBeNull();
});

test("it says that the data is kept if the team never erases it", async () => {
  expect((await archive(null)).textContent).toContain("Signers' personal data is kept");
});
