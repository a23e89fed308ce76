import { render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { SignOutForm } from "@/components/auth/account-forms";
import { UserMenu } from "@/components/shell/navigation/user-menu";
import type { FormState } from "@/lib/forms/form-state";
import type { Change } from "@/lib/signatures/outbox/outbox";
import { openOutbox, outboxName } from "@/lib/signatures/outbox/store";

const signOut = vi.fn(async (_state: FormState, _sent: FormData): Promise<FormState> => ({ message: "", error: null }));
const place = { team: "riverside", campaign: "clean-water" };
const line = (number: number): Change => ({
  kind: "typed",
  lastName: "Smith",
  firstName: "Ada",
  houseNumber: "12",
  sheet: 12,
  line: number,
  signedOn: null,
});
const store = (userId: string, campaign = place.campaign) => openOutbox(outboxName({ ...place, userId, campaign }));

beforeEach(() => signOut.mockClear());

describe.each([
  [
    "the user menu",
    <UserMenu key="menu" userId="ada" email="ada@demo.test" name="Ada" signOut={signOut} placement="below" />,
  ],
  ["the account page", <SignOutForm key="form" userId="ada" signOut={signOut} submit="Sign out" />],
])("signing out from %s", (_where, screenOf) => {
  const press = async (name: string, root: HTMLElement) => userEvent.click(within(root).getByRole("button", { name }));
  const askToSignOut = async () => {
    const menu = screen.queryByRole("button", { name: /^Account/ });
    if (menu) await userEvent.click(menu);
    await userEvent.click(await screen.findByRole(menu ? "menuitem" : "button", { name: "Sign out" }));
  };
  const show = async () => {
    render(screenOf);
    await askToSignOut();
  };

  it("signs out at once when this user has no unsent lines, even if someone else has some or a sheet is open", async () => {
    store("ben").add(line(1));
    store("ada").add({ kind: "open-sheet", sheet: 12 });
    await show();
    await waitFor(() => expect(signOut).toHaveBeenCalledOnce());
    expect(screen.queryByRole("dialog")).toBe(null);
  });

  it("asks first while lines are unsent in any campaign, and keeps them", async () => {
    store("ada").add(line(1));
    store("ada", "safe-streets").add(line(2));
    await show();
    const dialog = await screen.findByRole("dialog", { name: "Sign out with unsent lines?" });
    expect(dialog.textContent).toContain("2 lines haven't been sent. They stay in this browser");
    await press("Stay signed in", dialog);
    expect(screen.queryByRole("dialog")).toBe(null);
    expect(signOut).not.toHaveBeenCalled();
    await askToSignOut();
    await press("Sign out", await screen.findByRole("dialog"));
    await waitFor(() => expect(signOut).toHaveBeenCalledOnce());
    expect(Object.keys(localStorage)).toHaveLength(2);
  });

  it("warns that lines which the browser couldn't save will be lost", async () => {
    vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
      throw new Error("full");
    });
    const full = store("ada");
    const { item } = full.add(line(1));
    await show();
    const dialog = await screen.findByRole("dialog");
    expect(dialog.textContent).toContain("1 line couldn't be saved in this browser and will be lost.");
    expect(dialog.textContent).not.toContain("been sent");
    await press("Sign out and lose 1 line", dialog);
    await waitFor(() => expect(signOut).toHaveBeenCalledOnce());
    full.remove(item.id);
    await askToSignOut();
    await waitFor(() => expect(signOut).toHaveBeenCalledTimes(2));
  });
});

it("leads where it is asked to", async () => {
  render(<SignOutForm userId="ada" signOut={signOut} submit="Sign out and continue" next="/invitation/abc" />);
  await userEvent.click(screen.getByRole("button", { name: "Sign out and continue" }));
  await waitFor(() => expect(signOut.mock.lastCall?.[1].get("next")).toBe("/invitation/abc"));
});
