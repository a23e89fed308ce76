import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { ConfirmForm } from "@/components/auth/auth-forms";
import type { FormSubmit } from "@/lib/forms/form-state";

vi.mock("next/navigation", () => ({ useRouter: () => ({}) }));

it("leads on from a link that was already used, and asks for no password any more", async () => {
  const confirm = vi.fn<FormSubmit>().mockResolvedValue({
    message: null,
    error: "In any words.",
    zodIssues: [{ code: "link-over", path: [], message: "In any words." }],
  });
  render(
    <ConfirmForm
      confirm={confirm}
      asksPassword
      link={{ token_hash: "hash", type: "recovery", next: "/" }}
      submit="Save password"
      instead={["/login/forgotten", "Get a new link"]}
    />,
  );
  await userEvent.type(screen.getByLabelText("New password"), "a-password-of-choice{Enter}");
  const onward = await screen.findByRole("link", { name: "Get a new link" });
  expect(document.activeElement).toBe(onward);
  expect(onward.getAttribute("href")).toBe("/login/forgotten");
  expect(screen.queryByLabelText("New password")).toBeNull();
});
