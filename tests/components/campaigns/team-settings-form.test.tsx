import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { TeamSettingsForm } from "@/components/campaigns/team-settings-form";
import { PlacesProvider } from "@/components/shell/navigation/places-provider";
import type { FormSubmit } from "@/lib/forms/form-state";

vi.mock("next/navigation", () => ({ useRouter: () => ({}), usePathname: () => "/river/settings" }));

const save = vi.fn<FormSubmit>();
const campaign = { name: "Clear lakes", archivedAt: "2026-01-01T12:00:00Z", eraseAt: null };
const settings = { name: "River", timeZone: "UTC", locale: "en-US", linesPerSheet: 20 };
beforeEach(() => save.mockReset().mockResolvedValue({ message: "Team settings saved.", error: null }));

function show(archivedCampaigns = [campaign], eraseAfterDays: number | null = null) {
  const lake = { id: "lake", name: "Lake", campaigns: [], permissionKeys: [], locale: "en-US", timeZone: "UTC" };
  render(
    <PlacesProvider userId="1" teams={[{ ...lake, secondFactorFrom: null }]} canCreateTeam={false}>
      <TeamSettingsForm
        settings={{ ...settings, eraseAfterDays }}
        zones={new Map([["", [{ id: "UTC", name: "UTC" }]]])}
        locales={[{ id: "en-US", name: "US" }]}
        now={"2026-11-20T12:00:00Z"}
        canOfferSecondFactor={false}
        archivedCampaigns={archivedCampaigns}
        save={save}
      />
    </PlacesProvider>,
  );
}
const press = async (name: string) => userEvent.click(await screen.findByRole("button", { name }));
const period = () => screen.getByLabelText(/^Erase personal data/);

it("names what a new period erases and when, and saves it only once confirmed", async () => {
  show();
  await userEvent.type(period(), "60");
  await press("Save");
  await screen.findByRole("heading", { name: "Schedule erasure for 1 campaign?" });
  screen.getByText("Clear lakes");
  screen.getByText("Dec 4, 2026");
  await press("Cancel");
  expect(save).not.toHaveBeenCalled();
  await press("Save");
  await press("Schedule erasure");
  await waitFor(() => expect(save).toHaveBeenCalledOnce());
  expect(save.mock.calls[0]?.[1].get("eraseAfterDays")).toBe("60");
});

it("points out another team of the person with the same name", async () => {
  show();
  await userEvent.clear(screen.getByLabelText("Name"));
  await userEvent.type(screen.getByLabelText("Name"), "lakE ");
  screen.getByText("You're already in another team with this name.");
});

it("saves at once what erases nothing", async () => {
  show([campaign], 60);
  await userEvent.clear(period());
  await press("Save");
  await waitFor(() => expect(save).toHaveBeenCalledOnce());
});

it("shows a whole sentence of an error without the field's label", async () => {
  const message = "Enter 30 or more, or leave it empty";
  const zodIssues = [{ code: "too_small", path: ["eraseAfterDays"], message }];
  save.mockResolvedValue({ message: null, error: "Fix the field above.", zodIssues });
  show();
  await userEvent.type(period(), "29");
  await press("Save");
  await screen.findByText(`${message}.`);
});
