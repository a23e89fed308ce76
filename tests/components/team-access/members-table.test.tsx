import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { ScreenKeysProvider } from "@/components/shell/screen-keys";
import { MembersTable } from "@/components/team-access/members-table";
import type { FormSubmit } from "@/lib/forms/form-state";
import type { Member } from "@/lib/team-access/members";
import type { MembersView } from "@/lib/team-access/members-filter";

const router = { replace: vi.fn() };
vi.mock("next/navigation", () => ({ useRouter: () => router }));
beforeEach(() => router.replace.mockReset());

const all = Array.from(
  { length: 120 },
  (_, place): Member => ({
    userId: `00000000-0000-4000-8000-${String(place).padStart(12, "0")}`,
    name: `Member ${place}`,
    email: `${place}@demo.test`,
    roleId: "00000000-0000-4000-8000-000000000010",
    role: "Office",
    isAdministrator: place === 0,
    status: "active",
    endsOn: null,
    ended: false,
    campaigns: [],
  }),
);
const choices = {
  campaignRoles: [],
  statuses: [
    { id: "active", name: "active" },
    { id: "suspended", name: "suspended" },
  ],
  roles: [{ id: "00000000-0000-4000-8000-000000000010", name: "Office" }],
  campaigns: [{ id: "clean-water", name: "Clean water" }],
};

function table(view: MembersView, select?: FormSubmit<Member[]>, result = all, invited = 0) {
  const first = ((view.page ?? 1) - 1) * 50;
  const members = result.slice(first, first + 50);
  return (
    <ScreenKeysProvider>
      <MembersTable
        teamId="riverside"
        ownId={all[0]?.userId ?? ""}
        filter={view}
        pageData={{ members, found: result.length, all: all.length, first: first + 1, pageSize: 50 }}
        invited={invited}
        choices={choices}
        {...(select && { manage: { roles: [{ id: "r", name: "Office", scope: "assigned" }], campaigns: [], select } })}
      />
    </ScreenKeysProvider>
  );
}
const addresses = () => router.replace.mock.calls.map(([href]) => href);
const status = () => screen.getAllByRole("status")[0]?.textContent;

it("says that an open invitation matches if no member does", () => {
  render(table({ words: "ned" }, undefined, [], 1));
  screen.getByText("No members match; 1 open invitation does.");
});

it("shows one page and its position, and links to others with the same filter and order", () => {
  render(table({ status: "active", sort: "-name", page: 2 }));
  expect(status()).toBe("51–100 of 120 members");
  expect(screen.getByText("Member 50")).toBeTruthy();
  expect(screen.queryByText("Member 49")).toBeNull();
  const links = ["Previous", "Next", "Role", "Member"].map((name) => screen.getByRole("link", { name }));
  expect(links.map((link) => link.getAttribute("href"))).toEqual([
    "/riverside/members?status=active&sort=-name&page=1",
    "/riverside/members?status=active&sort=-name&page=3",
    "/riverside/members?status=active&sort=role",
    "/riverside/members?status=active&sort=name",
  ]);
  expect(screen.getByRole("columnheader", { name: "Member" }).getAttribute("aria-sort")).toBe("descending");
  expect(screen.getByRole("link", { name: "Download CSV" }).getAttribute("href")).toBe(
    "/riverside/members/csv?status=active&sort=-name",
  );
});

it("searches for typed text after a pause and for a choice at once, from the first page", async () => {
  render(table({ page: 3, sort: "role" }));
  await userEvent.keyboard("/");
  expect(document.activeElement).toBe(screen.getByRole("searchbox", { name: "Search" }));
  await userEvent.keyboard(" ada/b");
  await waitFor(() => expect(addresses().at(-1)).toBe("/riverside/members?words=ada%2Fb&sort=role"));
  await userEvent.selectOptions(screen.getByRole("combobox", { name: "Status" }), "suspended");
  expect(addresses().at(-1)).toBe("/riverside/members?words=ada%2Fb&status=suspended&sort=role");
});

it("keeps text being typed when an answer arrives, and takes the text of Back or a link", async () => {
  const { rerender } = render(table({}));
  const find = screen.getByRole<HTMLInputElement>("searchbox", { name: "Search" });
  await userEvent.type(find, "ad");
  await waitFor(() => expect(addresses().at(-1)).toBe("/riverside/members?words=ad"));
  fireEvent.change(find, { target: { value: "ada" } }); // at once, so that the answer comes before the pause
  rerender(table({ words: "ad" }));
  expect(find.value).toBe("ada");
  await waitFor(() => expect(addresses().at(-1)).toBe("/riverside/members?words=ada"));
  rerender(table({ words: "ada" }));
  rerender(table({}));
  expect(find.value).toBe("");
});

it("says that no one matches, and links to all members", () => {
  render(table({ words: "(.*)" }, undefined, []));
  expect(status()).toBe("0 of 120 members");
  expect(screen.getByText(/^No members match/)).toBeTruthy();
  expect(screen.getByRole("link", { name: "Show all members" }).getAttribute("href")).toBe("/riverside/members");
});

it("selects members on several pages, or all that match, but never oneself", async () => {
  const select = vi.fn<FormSubmit<Member[]>>(async () => ({ message: "Found.", error: null, data: all.slice(1) }));
  const { rerender } = render(table({ status: "active" }, select));
  // By label and text, because a search by role is slow among so many rows.
  expect(screen.queryByLabelText("Select Member 0")).toBeNull();
  await userEvent.click(screen.getByLabelText("Select all on this page"));
  expect(screen.getByText("49 selected")).toBeTruthy();
  rerender(table({ status: "active", page: 2 }, select));
  await userEvent.click(screen.getByLabelText("Select Member 60"));
  expect(screen.getByText("50 selected, 49 not shown")).toBeTruthy();
  await userEvent.click(screen.getByLabelText("Select all on this page"));
  expect(screen.getByText("99 selected, 49 not shown")).toBeTruthy();
  await userEvent.click(screen.getByText("Select all 120"));
  await waitFor(() => expect(screen.getByText("119 selected, 69 not shown")).toBeTruthy());
  expect(Object.fromEntries(select.mock.calls[0]?.[1] ?? [])).toEqual({ team: "riverside", status: "active" });
  await userEvent.click(screen.getByText("Clear selection"));
  expect(screen.queryByText("119 selected, 69 not shown")).toBeNull();
});
