import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { EmailChoicesForm } from "@/components/auth/account-forms";

const router = { push: vi.fn() };
vi.mock("next/navigation", () => ({ useRouter: () => router }));

it("asks before unsaved choices are left", async () => {
  const choices = { available: true, requests: true, digest: false };
  render(
    <>
      <a href="/riverside">Riverside</a>
      <EmailChoicesForm choices={choices} save={vi.fn()} />
    </>,
  );
  await userEvent.click(screen.getByRole("checkbox", { name: /^A daily summary/ }));
  await userEvent.click(screen.getByRole("link", { name: "Riverside" }));
  await screen.findByText("Your changes on this page aren't saved.");
  expect(router.push).not.toHaveBeenCalled();
});
