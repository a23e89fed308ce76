import { fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { AccessChanges } from "@/components/team-access/access-changes";
import type { PreviewAccess } from "@/components/team-access/change-review";
import { MemberActions } from "@/components/team-access/member-actions";
import type { Member } from "@/lib/team-access/members";

const router = { refresh: vi.fn() };
vi.mock("next/navigation", () => ({ useRouter: () => router }));

const roleId = "00000000-0000-4000-8000-000000000001";
const member: Member = {
  userId: roleId,
  name: "Ada",
  email: "ada@x.test",
  roleId,
  role: "Office",
  isAdministrator: false,
  status: "active",
  endsOn: null,
  ended: false,
  campaigns: [],
};

beforeEach(() => void vi.useFakeTimers({ now: Date.parse("2026-11-25T12:00:00Z"), toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

test("refuses an end date in the past at its field", async () => {
  const preview = vi.fn<PreviewAccess>(() => new Promise(() => undefined));
  render(
    <AccessChanges team={{ id: "riverside", name: "Riverside" }} save={vi.fn()} preview={preview}>
      <MemberActions member={member} roles={[{ id: roleId, name: "Office" }]} save={vi.fn()} />
    </AccessChanges>,
  );
  const field = screen.getByLabelText(/^Membership ends/);
  const statuses = screen.getAllByRole("status").length;
  const choose = (day: string) => {
    fireEvent.change(field, { target: { value: day } });
    fireEvent.click(screen.getByRole("button", { name: "Save membership" }));
  };
  choose("2026-11-24");
  const issue = screen.getByText("This day has passed. Choose today or a later day.");
  expect(field.getAttribute("aria-describedby")).toBe(issue.id);
  expect(field.getAttribute("aria-invalid")).toBe("true");
  expect(screen.getAllByRole("status")).toHaveLength(statuses); // its room was there before
  expect(preview).not.toHaveBeenCalled();
  choose("2026-11-25");
  expect(field.getAttribute("aria-invalid")).toBe("false");
  await vi.waitFor(() => expect(preview).toHaveBeenCalledOnce());
});
