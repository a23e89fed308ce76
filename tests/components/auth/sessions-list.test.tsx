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
  const list = (sessions: (typeof own)[]) => <SessionsList sessions={sessions} ownId="0" signOut={signOut} />;
  const { rerender } = render(list([own, other]));
  await userEvent.click(screen.getByRole("button", { name: /^Sign out/ }));
  await screen.findByText("Device signed out.");
  rerender(list([own]));
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("list", { name: "Sessions" })));
});
