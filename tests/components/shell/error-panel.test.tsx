import { render, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { ErrorPanel } from "@/components/shell/error-panel";

it("says who helps if the error stays, also to an administrator, and which code they need", () => {
  const error = Object.assign(new Error("Failed."), { digest: "123" });
  render(<ErrorPanel error={error} retry={vi.fn()} />);
  expect(screen.getByRole("alert").textContent).toContain(
    "contact your team's administrator or the person who runs this server and give them this code:",
  );
  screen.getByText("Error 123");
});
