import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { RequestsList } from "@/components/activity/requests-list";
import { AccessChanges } from "@/components/team-access/access-changes";
import type { PreviewAccess } from "@/components/team-access/change-review";
import type { FormSubmit } from "@/lib/forms/form-state";

vi.mock("next/navigation", () => ({ useRouter: () => ({ refresh: () => undefined }) }));

const asked = {
  id: "1",
  userId: "u",
  name: "Jun Park",
  campaign: null,
  key: "charts.view",
  page: "/river/campaign/lakes/signatures/register",
  granted: false,
  reason: "For the report",
  askedAt: "2026-11-20T12:00:00Z",
  grants: [],
  whyNot: "You can't grant it.",
  isRoleMissing: false,
  inactiveText: null,
};

it("shows the reason of a request, and asks before declining it", async () => {
  const decline = vi.fn<FormSubmit>().mockResolvedValue({ message: "Request declined.", error: null });
  const other = { ...asked, id: "2", name: "Ada", page: "/river" };
  const lakes = { id: "lakes", name: "Lakes" };
  const toOpen = { ...other, id: "3", name: "Bo", key: "campaign.view", campaign: lakes };
  render(
    <RequestsList
      requests={[asked, other, { ...toOpen, reason: null, whyNot: null }]}
      decline={decline}
      canEditRoles
    />,
  );
  screen.getByText(/, from the Campaigns page$/);
  expect(screen.getAllByText("“For the report”").length).toBe(2);
  screen.getByText(/, from the All lines page$/);
  expect(screen.getAllByRole("listitem")[2]?.textContent).toMatch(
    /^Bo asked for access to LakesNov 20, 2026, [^,]*View/,
  );
  expect(screen.getAllByText("You can't grant it.").length).toBe(2);
  const press = async (name: RegExp) => userEvent.click(await screen.findByRole("button", { name }));
  await press(/^Decline\s*Jun Park's request/);
  await press(/^Cancel$/);
  expect(decline).not.toHaveBeenCalled();
  await press(/^Decline\s*Jun Park's request/);
  await userEvent.type(screen.getByLabelText("Reason (optional)"), "Ask Ada");
  await press(/^Decline request$/);
  await waitFor(() =>
    expect(decline.mock.calls.map(([, form]) => [form.get("id"), form.get("answer")])).toEqual([["1", "Ask Ada"]]),
  );
});

it("leads to the roles if a role has to be changed first, unless the permission is granted already", () => {
  const list = (granted: boolean) => (
    <AccessChanges team={{ id: "river", name: "River" }} save={vi.fn()} preview={vi.fn()}>
      <RequestsList requests={[{ ...asked, granted, isRoleMissing: true }]} decline={vi.fn()} canEditRoles />
    </AccessChanges>
  );
  const { rerender } = render(list(false));
  expect(screen.getByRole("link", { name: /^Go to Roles/ }).getAttribute("href")).toBe("/river/roles");
  rerender(list(true));
  expect(screen.queryByRole("link", { name: /^Go to Roles/ })).toBeNull();
});

it("grants by the smallest role, or by another one that is chosen", async () => {
  const preview = vi.fn<PreviewAccess>().mockResolvedValue({ message: "", error: null });
  const grant = (roleId: string, grants: string) => ({
    change: { kind: "delete-role" as const, team: "river", roleId, name: grants },
    grants,
    note: `${grants} is the smallest.`,
  });
  const grants = [grant("1", "the Canvasser role in River"), grant("2", "the Staff role in River")];
  const request = { ...asked, grants, whyNot: null };
  const save = vi.fn<FormSubmit>().mockResolvedValue({ message: "Role deleted.", error: null });
  render(
    <AccessChanges team={{ id: "river", name: "River" }} save={save} preview={preview}>
      <RequestsList requests={[request]} decline={vi.fn()} canEditRoles />
    </AccessChanges>,
  );
  await userEvent.selectOptions(screen.getByLabelText("Grant Jun Park"), "Staff role in River");
  await userEvent.click(screen.getByRole("button", { name: /^Grant/ }));
  await screen.findByText("Grant Jun Park the Staff role in River?");
  screen.getByText("the Staff role in River is the smallest.");
  await waitFor(() =>
    expect(preview.mock.calls.map(([, form]) => form.get("change"))).toEqual([JSON.stringify(grants[1]?.change)]),
  );
  await userEvent.click(screen.getByRole("button", { name: "Grant access" }));
  await screen.findByText("Jun Park now has the Staff role in River.");
});
