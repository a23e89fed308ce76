// @vitest-environment jsdom
import { cleanup, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, describe, expect, it } from "vitest";
import { ScreenKeysProvider } from "@/components/shell/screen-keys";
import { MembersTable } from "@/components/team-access/members-table";
import type { Member } from "@/lib/team-access/list-members";

const members: Member[] = [
  {
    userId: "00000000-0000-4000-8000-000000000001",
    name: "Ada Moreno",
    email: "ada@demo.test",
    roleId: "00000000-0000-4000-8000-000000000010",
    role: "Administrator",
    isAdministrator: true,
    status: "active",
    campaigns: [],
  },
  {
    userId: "00000000-0000-4000-8000-000000000002",
    name: "José Núñez",
    email: "jn@demo.test",
    roleId: "00000000-0000-4000-8000-000000000020",
    role: "Field team",
    isAdministrator: false,
    status: "invited",
    campaigns: [{ id: "clean-water", name: "Clean water", roleId: null, role: "Canvasser", sets: [] }],
  },
  {
    userId: "00000000-0000-4000-8000-000000000003",
    name: "Toby Hale",
    email: "toby@demo.test",
    roleId: "00000000-0000-4000-8000-000000000030",
    role: "Member",
    isAdministrator: false,
    status: "suspended",
    campaigns: [{ id: "safe-streets", name: "Safe streets", roleId: null, role: null, sets: [] }],
  },
];

function show() {
  render(
    <ScreenKeysProvider>
      <MembersTable teamId="riverside" ownId="" members={members} />
    </ScreenKeysProvider>,
  );
  return screen.getByRole("searchbox", { name: "Filter members" });
}

const names = () => members.map(({ name }) => name).filter((name) => screen.queryByText(name) !== null);
const count = () => screen.getByRole("status").textContent;

afterEach(cleanup);

describe("MembersTable", () => {
  it("shows everyone, with status and campaigns", () => {
    show();
    expect(names()).toEqual(["Ada Moreno", "José Núñez", "Toby Hale"]);
    expect(count()).toBe("3 members");
    const row = screen.getByRole("row", { name: /Toby Hale/ });
    expect(row.textContent).toContain("suspended");
    expect(row.textContent).toContain("Safe streets");
    expect(screen.getByRole("row", { name: /Ada Moreno/ }).textContent).toContain("All campaigns");
  });

  it.each([
    ["a part of a name, in any case", "aDA", ["Ada Moreno"]],
    ["a name without its accents", "jose nunez", ["José Núñez"]],
    ["an e-mail address", "toby@", ["Toby Hale"]],
    ["a role", "administrator", ["Ada Moreno"]],
    ["a status", "invited", ["José Núñez"]],
    ["a campaign, and the role in it", "clean canvasser", ["José Núñez"]],
    ["words in any order", "hale toby", ["Toby Hale"]],
    ["what stands in several rows", "demo.test", ["Ada Moreno", "José Núñez", "Toby Hale"]],
    ["spaces", "   ", ["Ada Moreno", "José Núñez", "Toby Hale"]],
  ])("filters by %s", async (_case, query, expected) => {
    await userEvent.type(show(), query);
    await waitFor(() => expect(names()).toEqual(expected));
    expect(count()).toBe(expected.length === 3 ? "3 members" : `${expected.length} of 3 members`);
  });

  it("says that nobody matches, and leads back to all", async () => {
    const filter = show();
    await userEvent.type(filter, "(.*)");
    await waitFor(() => expect(screen.getByText("No member matches “(.*)”.")).toBeTruthy());
    expect(count()).toBe("0 of 3 members");
    await userEvent.click(screen.getByRole("button", { name: "Show all members" }));
    await waitFor(() => expect(names()).toHaveLength(3));
    expect(document.activeElement).toBe(filter);
  });

  it("goes to the filter on /, which is typed as a letter there", async () => {
    const filter = show();
    await userEvent.keyboard("/");
    expect(document.activeElement).toBe(filter);
    expect(filter).toHaveProperty("value", "");
    await userEvent.keyboard("/");
    expect(filter).toHaveProperty("value", "/");
  });

  it("selects among 500 all that are shown, but never oneself", async () => {
    const many = Array.from(
      { length: 500 },
      (_, place): Member => ({
        email: `${place}@demo.test`,
        roleId: "00000000-0000-4000-8000-000000000010",
        status: "active",
        campaigns: [],
        userId: `00000000-0000-4000-8000-${String(place).padStart(12, "0")}`,
        name: `Member ${place}`,
        role: place % 2 === 0 ? "Office" : "Field team",
        isAdministrator: false,
      }),
    );
    render(
      <ScreenKeysProvider>
        <MembersTable
          teamId="riverside"
          ownId={many[0]?.userId ?? ""}
          members={many}
          manage={{ roles: [{ id: "r", name: "Office", scope: "assigned" }], campaigns: [] }}
        />
      </ScreenKeysProvider>,
    );
    // By label and text: among so many rows a role is looked for long.
    await userEvent.click(screen.getByLabelText("Filter members"));
    await userEvent.paste("office");
    await waitFor(() => expect(screen.getByText("250 of 500 members")).toBeTruthy());
    await userEvent.click(screen.getByLabelText("Select all that are shown"));
    expect(screen.getByText("249 selected")).toBeTruthy();
    expect(screen.queryByLabelText("Select Member 0")).toBeNull();
    expect(screen.getByLabelText("Select Member 2")).toBeTruthy();
    await userEvent.click(screen.getByText("Select none"));
    expect(screen.queryByText("249 selected")).toBeNull();
  });
});
