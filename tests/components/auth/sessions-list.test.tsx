import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { SessionsList } from "@/components/auth/sessions-list";

it("says that a device was signed out, and keeps the focus when its row goes", async () => {
  const [own, other] = ["this one", "Firefox on Linux"].map((device, id) => ({
    id: String(id),
    device,
    signedInAt: "2026-11-20T12:00:00Z",
    activeAt: "2026-11-20T12:00:00Z",
  }));
  if (!own || !other) throw new Error("Two sessions were made.");
  const signOut = vi.fn().mockResolvedValue({ message: "Device signed out.", error: null });
  const signOutOthers = vi.fn().mockResolvedValue({ message: "You're signed out everywhere else.", error: null });
  const list = (sessions: (typeof own)[]) => (
    <SessionsList sessions={sessions} ownId="0" signOut={signOut} signOutOthers={signOutOthers} />
  );
  const { rerender } = render(list([own, other]));
  await userEvent.click(screen.getByRole("button", { name: /^Sign out\s*Firefox on Linux, signed in Nov 20, 12:00/ }));
  await screen.findByText("Device signed out.");
  await userEvent.click(screen.getByRole("button", { name: "Sign out everywhere else" }));
  await screen.findByText("You're signed out everywhere else.");
  rerender(list([own]));
  expect(screen.queryByRole("button")).toBeNull();
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("list", { name: "Sessions" })));
});
