import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { invitationPath } from "@/lib/invitations/invitation";
import { hashToken } from "@/supabase/functions/_shared/invitation-token";
import { ownEnvironment } from "../../harness/own-environment.ts";
import { openPage } from "../support/browser.ts";
import { folder, restAsService, rowsOf, signInOverApi } from "../support/demo.ts";
import { expectAxeClean } from "../support/expect-axe-clean.ts";
import { inDrill } from "../support/in-drill.ts";
import { createOwnTeam, signUp } from "../support/own-team.ts";

const { userId: staff } = await signInOverApi("staff@demo.test");
type Screen = [who: string | null, path: string, shows: string, says?: RegExp];
const screens: Screen[] = [
  [null, "/login", "Sign in"],
  ["admin", "/riverside", "Campaigns"],
  ["admin", "/riverside/members", "Members"],
  ["canvasser", "/riverside/campaign/clean-water/voters", "Voters"],
  ["clerk", "/riverside/campaign/clean-water/signatures", "Signatures"],
  ["analyst", "/riverside/campaign/clean-water/dashboard", "Dashboard"],
];
const others: Screen[] = [
  ["analyst", "/riverside/campaign/clean-water/dashboard/charts/new", "New chart", /\d signatures · /],
  ["canvasser", "/riverside/campaign/clean-water/signatures", "You can't open the Clean water signatures"],
  ["admin", "/riverside/settings", "Settings"],
  ["admin", "/riverside/roles", "Roles"],
  ["admin", `/riverside/members/${staff}?why=charts.view&in=clean-water`, "Jun Park"],
  [null, "/login?problem=link", "Sign in"],
  [null, "/login/forgotten", "Set a new password"],
  [null, "/auth/confirm", "This link is incomplete"],
  [null, "/auth/confirm?error_code=otp_expired", "This link has expired or was already used"],
  [null, "/auth/confirm?token_hash=abc&type=recovery", "Set your password"],
  [null, "/auth/confirm?token_hash=abc&type=email_change", "Confirm your new email"],
  ["admin", "/account", "Account"],
  ["admin", "/", "Campaigns"],
  ["outsider", "/", "You're not on a team yet"],
  ["admin", "/riverside/members/unknown", "Not a member"],
  ["admin", "/riverside/members?words=unknown", "Members"],
  ["admin", "/riverside/dashboard", "Dashboard"],
  ["staff", "/riverside/dashboard", "You can't open the Riverside dashboard"],
  ["admin", "/riverside/roles?show=sets", "Roles"],
  ["admin", "/riverside/roles?show=administrators", "Roles"],
  [
    "admin",
    "/riverside/roles?show=who&key=signatures.enter&in=clean-water",
    "Roles",
    /people have the permission “Enter signatures/,
  ],
  ["clerk", "/riverside/settings", "Settings"],
  ["admin", "/riverside/activity", "Activity"],
  ["admin", "/riverside/activity/reads", "Activity"],
  ["staff", "/riverside/roles", "You can't open Roles in Riverside"],
  ["staff", "/riverside/activity", "You can't open Activity in Riverside"],
  [null, "/invitation/nothing", "Invitation not found"],
  ["admin", "/riverside/campaign/clean-water", "Overview"],
  ["admin", "/riverside/campaign/clean-water/settings", "Campaign settings"],
  ["admin", "/riverside/campaign/clean-water/report", "Report"],
  ["canvasser", "/riverside/voters", "Voters"],
  ["staff", "/riverside/campaign/clean-water/signatures", "Sheets"],
  ["staff", "/riverside/campaign/clean-water/signatures/register", "All lines"],
  ["staff", "/riverside/campaign/clean-water/signatures/sheets", "Sheets"],
  ["admin", "/riverside/campaign/clean-water/signatures/quality", "Quality check", /^Pick random lines/],
  ["clerk", "/riverside/campaign/clean-water/dashboard", "You can't open the Clean water dashboard"],
  ["staff", "/riverside/campaign/clean-water/dashboard/charts/new", "You can't edit charts in Clean water"],
  ["analyst", "/riverside/voters", "You can't search voters in Riverside"],
  ["canvasser", "/riverside/members", "You can't open Members in Riverside"],
  ["staff", "/riverside/campaign/no-access", "You can't open this campaign"],
  ["admin", "/riverside/there/is/nothing", "Page not found"],
];

type Look = { width: number; colorSchemes: ("light" | "dark")[] };
const allLooks: Look[] = [1280, 375].map((width) => ({ width, colorSchemes: ["light", "dark"] }));
const looks = inDrill<Look[]>(allLooks, { else: [{ width: 375, colorSchemes: ["dark"] }] });

/** Expects a screen to be readable and complete in light and dark, wide and on a phone, with the text `says`. */
async function expectReadable(who: string | null, path: string, shows: string, says?: string | RegExp) {
  const page = await openPage(who?.includes("@") ? who : who && `${who}@demo.test`);
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error" && !message.text().includes("404")) problems.push(message.text());
  });
  for (const { width, colorSchemes } of looks) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(path);
    for (const colorScheme of colorSchemes) {
      await page.emulateMedia({ colorScheme });
      await page.getByRole("heading", { level: 1, name: shows }).waitFor();
      if (says) await page.getByRole("main").getByText(says).waitFor();
      await expectAxeClean(page);
      expect(problems).toEqual([]);
    }
  }
  await page.context().close();
}

describe.concurrent("each screen is readable and complete, light and dark, wide and on a phone", {
  timeout: 180_000,
}, () => {
  test.each([...screens, ...inDrill(others, { else: [] })])("%s %s", expectReadable);
});

describe("the screen of an invitation is readable and complete", async () => {
  const own = await createOwnTeam({ admin: { team: "Administrator" } });
  const [member] = await rowsOf("roles?name=eq.Member&team_id=is.null");
  const call = (name: string, body: object) => restAsService(`rpc/${name}`, { method: "POST", body });

  const title = `You're invited to ${own.name}`;
  type Invited = [state: string, hasAccount: boolean, shows: string, says: string];
  const states: Invited[] = [
    ["open", true, title, `to join ${own.name} as `],
    ...inDrill<Invited[]>(
      [
        ["new", false, title, "No account yet?"],
        [
          "accepted",
          true,
          `The invitation to ${own.name} was already accepted`,
          "If you accepted it, sign in to open the team. Otherwise, ask ",
        ],
        ["revoked", false, `The invitation to ${own.name} was revoked`, "Ask "],
        ["expired", false, `The invitation to ${own.name} has expired`, "Ask "],
      ],
      { else: [] },
    ),
  ];
  test.each(states)("%s", async (state, hasAccount, shows, says) => {
    const email = `${state}-${own.team}@people.test`;
    const guest = hasAccount ? await signUp(email, "Gus Guest") : null;
    await call("create_invitations", {
      p_actor_id: own.people.admin.id,
      p_team_id: own.team,
      p_mail: false,
      p_commit: true,
      p_invitations: [{ email, roleId: member?.id }],
    });
    const [made] = await rowsOf(`invitations?email=eq.${email}`);
    const token = randomBytes(32).toString("base64url");
    await call("save_invitation_token", { p_id: made?.id, p_token_hash: hashToken(token) });
    if (state === "accepted") {
      await call("accept_invitation", { p_actor_id: guest?.id, p_token_hash: hashToken(token) });
    }
    const ended = { revoked: "revoked_at", expired: "expires_at" }[state];
    const body = ended && { [ended]: new Date().toISOString() };
    if (body) await restAsService(`invitations?id=eq.${made?.id}`, { method: "PATCH", body });
    await expectReadable(state === "open" ? email : null, invitationPath(token), shows, says);
  });
});

test("the shell works by keyboard: skip link, switchers, menu, sign-out", async () => {
  const page = await openPage("admin@demo.test");
  await page.goto("/riverside");
  await page.keyboard.press("Tab");
  expect(await page.evaluate(() => document.activeElement?.textContent)).toMatch(/skip/i);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.getByRole("combobox", { name: "Find a campaign" }).and(page.locator(":focus")).waitFor();
  await page.keyboard.type("clean");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  expect(new URL(page.url()).pathname).toBe("/riverside/campaign/clean-water");
  await page.getByRole("button", { name: /^Account/ }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("menuitem", { name: "Keyboard shortcuts" }).and(page.locator(":focus")).waitFor();
  const signOut = page.getByRole("menuitem", { name: "Sign out" });
  const goUp = async () => {
    await page.keyboard.press("ArrowUp"); // to the last entry; the menu can miss the first key
    return signOut.evaluate((item) => item === document.activeElement);
  };
  await expect.poll(goUp).toBe(true);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
  await page.goto("/riverside");
  expect(new URL(page.url()).pathname).toBe("/login");
});

test("browsers load no credential, name of a credential, or backend address", () => {
  const chunks = globSync(".next/static/**/*.js").map((file) => readFileSync(file, "utf8"));
  expect(chunks.length).toBeGreaterThan(5);
  for (const secret of [
    "SEARCHSVC_",
    "searchsvc_token",
    "SUPABASE_SECRET_KEY",
    "sb_secret",
    "sb_publishable",
    "essearch/validation",
  ]) {
    expect([secret, chunks.filter((chunk) => chunk.includes(secret)).length]).toEqual([secret, 0]);
  }
});

test("no page loads more than 200 KB of JavaScript first", () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["scripts/first-load.ts"], {
    env: { ...ownEnvironment, SIGNET_LOCAL: folder },
    encoding: "utf8",
  });
  expect([status, stderr.replaceAll(/.*Warning.*\n/g, "")], stdout).toEqual([0, ""]);
  expect(stdout.match(/KB {2}\//g)).toHaveLength(12);
});
