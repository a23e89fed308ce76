import { render, screen } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import AccountPage from "@/app/account/page";

const state = vi.hoisted(() => ({
  isAvailable: true,
  hasFactor: false,
  requiring: [] as { id: string; name: string }[],
}));
const session = { userId: "u", email: "ada@people.test", sessionId: "s" };
vi.mock(
  "@/app/account/actions",
  () => new Proxy({}, { get: (_, name) => (name === "then" ? undefined : vi.fn()), has: () => true }),
);
vi.mock("@/app/login/actions", () => ({ endSession: vi.fn(), renewSession: vi.fn(), verifyCode: vi.fn() }));
vi.mock("@/components/palette/palette", () => ({ Palette: () => null }));
vi.mock("@/components/permissions/permissions-check", () => ({ PermissionsCheck: () => null }));
vi.mock("@/components/auth/sign-in-again", () => ({ SignInAgain: () => null }));
vi.mock("@/components/shell/navigation/user-menu", () => ({ UserMenu: () => null }));
vi.mock("@/lib/auth/account", () => ({ readName: async () => "Ada Moreno" }));
vi.mock("@/lib/auth/emails", () => ({ readEmailChoices: async () => ({ available: false }) }));
vi.mock("@/lib/auth/get-session", () => ({ getSignIn: async () => ({ accountHasSecondFactor: state.hasFactor }) }));
vi.mock("@/lib/auth/second-factor", () => ({ hasSecondFactors: async () => state.isAvailable }));
vi.mock("@/lib/auth/sessions", () => ({ listSessions: async () => [] }));
vi.mock("@/lib/auth/theme", () => ({ readTheme: async () => "system" }));
vi.mock("@/lib/permissions/list-places", () => ({
  listPlaces: async () => [],
  listTeamsLackingSecondFactor: async () => state.requiring,
}));
vi.mock("@/lib/permissions/require-place", () => ({ requireSignedIn: async () => ({ session }) }));

const show = async (query = {}) => render(await AccountPage({ searchParams: Promise.resolve(query) }));
/** The buttons that show a form, and those whose form is shown. */
const buttons = () =>
  [...document.querySelectorAll("summary span span:first-child")].map(({ textContent }) => textContent);
const opened = () => document.querySelectorAll("details[open]");
beforeEach(() => Object.assign(state, { isAvailable: true, hasFactor: false, requiring: [] }));

it("shows the forms of its sections only once they are opened", async () => {
  await show();
  const secondFactor = "Set up two-factor sign-in";
  expect(buttons()).toEqual(expect.arrayContaining(["Change name", "Change email", "Change password", secondFactor]));
  expect(opened()).toHaveLength(0);
});

it("hides two-factor sign-in where it isn't available, except from those who have it", async () => {
  state.isAvailable = false;
  const { unmount } = await show();
  expect(screen.queryByRole("heading", { name: "Two-factor sign-in" })).toBeNull();
  unmount();
  state.hasFactor = true;
  await show();
  expect(buttons()).toContain("Turn off two-factor sign-in");
});

it.each([
  [true, "River requires two-factor sign-in. Set it up below with an authenticator app on your phone.", 1],
  [false, "Ask the person who runs this server to turn it on, or a team administrator to stop requiring it.", 0],
])(
  "says what to do about a factor that a team requires, if the server has it: %s",
  async (isAvailable, text, count) => {
    Object.assign(state, { isAvailable, requiring: [{ id: "river", name: "River" }] });
    await show({ secure: "river" });
    expect(
      screen
        .getAllByRole("status")
        .map(({ textContent }) => textContent)
        .join(),
    ).toContain(text);
    expect(opened()).toHaveLength(count);
  },
);
