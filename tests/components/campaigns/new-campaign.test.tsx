import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { NewCampaign } from "@/components/campaigns/campaign-dialog";
import { AccessChanges } from "@/components/team-access/access-changes";
import { type FormSubmit, oneFieldWrong } from "@/lib/forms/form-state";

const router = { push: vi.fn(), replace: vi.fn() };
vi.mock("next/navigation", () => ({
  useRouter: () => router,
  usePathname: () => "/north",
  useSearchParams: () => new URLSearchParams(),
}));
afterEach(() => router.push.mockReset());

const create = vi.fn<FormSubmit>().mockResolvedValue({ message: "Campaign created.", error: null });
const page = (campaignIds: string[]) => (
  <AccessChanges team={{ id: "north", name: "North" }} save={vi.fn()} preview={vi.fn()}>
    <NewCampaign key={campaignIds.length} create={create} campaignIds={campaignIds} />
  </AccessChanges>
);

async function createLakes(campaignIdsThen: string[]) {
  const { rerender } = render(page([]));
  await userEvent.click(screen.getByRole("button", { name: "New campaign" }));
  await userEvent.type(await screen.findByRole("textbox", { name: "Name" }), "Clear lakes{Enter}");
  await vi.waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  rerender(page(campaignIdsThen));
}

test("a new campaign opens once the page lists it, also if it is the first", async () => {
  await createLakes(["clear-lakes"]);
  expect(router.push).toHaveBeenCalledExactlyOnceWith("/north/campaign/clear-lakes");
});

test("someone who can't open it stays, and sees how to get access", async () => {
  await createLakes(["parks"]);
  await screen.findByText("Campaign created. Ask an administrator to add you to it.");
  expect(router.push).not.toHaveBeenCalled();
});

test("says at the name that its web address is taken, until the name changes", async () => {
  const zodIssues = [{ code: "custom", path: ["campaign"], message: "is taken. Choose another" }];
  create.mockResolvedValueOnce({ message: null, error: oneFieldWrong, data: { name: "Clear lakes" }, zodIssues });
  render(page([]));
  await userEvent.click(screen.getByRole("button", { name: "New campaign" }));
  await userEvent.type(await screen.findByRole("textbox", { name: "Name" }), "Clear lakes{Enter}");
  const problem = "Another campaign already uses this name's web address. Change the name or the address.";
  await screen.findByText(problem);
  expect(screen.queryByText(/^Web address is taken/)).toBeNull();
  await userEvent.type(screen.getByRole("textbox", { name: "Name" }), " 2");
  expect(screen.queryByText(problem)).toBeNull();
});

test("says that the last day is before the first one, and that the campaign will have ended", async () => {
  render(page([]));
  await userEvent.click(screen.getByRole("button", { name: "New campaign" }));
  await userEvent.type(await screen.findByLabelText("First day"), "2020-05-02");
  await userEvent.type(screen.getByLabelText("Last day"), "2020-05-01");
  screen.getByText("Last day must be on or after the first day, May 2, 2020.");
  await userEvent.clear(screen.getByLabelText("First day"));
  expect(screen.queryByText(/must be on or after/)).toBeNull();
  screen.getByText("This day has passed, so the campaign has ended.");
  screen.getByRole("button", { name: "Create ended campaign" });
});
