import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { RequestsList } from "@/components/activity/requests-list";
import type { FormSubmit } from "@/lib/forms/form-state";

vi.mock("next/navigation", () => ({ useRouter: () => ({ refresh: () => undefined }) }));

it("shows the reason of a request, and asks before declining it", async () => {
  const decline = vi.fn<FormSubmit>().mockResolvedValue({ message: "Request declined.", error: null });
  const request = {
    id: "1",
    userId: "u",
    name: "Jun Park",
    campaign: null,
    key: "charts.view",
    page: null,
    held: false,
    reason: "For the report",
    askedAt: "2026-11-20T12:00:00Z",
    grant: null,
  };
  render(<RequestsList requests={[request]} decline={decline} />);
  screen.getByText("“For the report”");
  const press = async (name: RegExp) => userEvent.click(await screen.findByRole("button", { name }));
  await press(/^Decline\s*the request of Jun Park/);
  await press(/^Cancel$/);
  expect(decline).not.toHaveBeenCalled();
  await press(/^Decline\s*the request of Jun Park/);
  await press(/^Decline request$/);
  await waitFor(() => expect(decline.mock.calls.map(([, form]) => form.get("id"))).toEqual(["1"]));
});
