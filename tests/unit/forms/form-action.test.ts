import { redirect } from "next/navigation";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { redirectToLogin } from "@/lib/auth/redirect-to-login";
import { AppError } from "@/lib/errors";
import { formAction } from "@/lib/forms/form-action";
import { fieldIssue, initialFormState, toFormData, typedValue } from "@/lib/forms/form-state";
import { sessionEnded } from "@/lib/forms/session-ended";

const schema = z.object({ email: z.email("Enter an email."), password: z.string().min(1, "Enter it.") });

const getLiveSession = vi.hoisted(() => vi.fn());
vi.mock("@/lib/auth/get-session", () => ({ getLiveSession }));
vi.mock("next/headers", () => ({ headers: async () => new Headers() }));
afterEach(() => vi.restoreAllMocks());

const fields = { email: "a@b.test", password: "secret" };
const submit = (run: () => Promise<{ message: string; data?: object }>, form = toFormData(fields)) =>
  formAction({ guard: "everyone", schema, keepOnError: ["email"], run })(initialFormState, form);
const fail = (error: Error) => submit(() => Promise.reject(error));

it("returns the message and the data of the action", async () => {
  const run = vi.fn(async () => ({ message: "Saved.", data: { id: "1" } }));
  const state = await submit(run, toFormData({ ...fields, extra: "y" }));
  expect(state).toEqual({ message: "Saved.", error: null, data: { id: "1" } });
  expect(run).toHaveBeenCalledExactlyOnceWith(fields, undefined);
});

it("names the wrong fields, returns the allowed values, and doesn't run", async () => {
  const run = vi.fn();
  const state = await submit(run, toFormData({ email: "ada", password: "" }));
  expect(state).toEqual({
    message: null,
    error: "Fix the 2 fields above.",
    data: { email: "ada" },
    zodIssues: [
      { code: "invalid_format", path: ["email"], message: "Enter an email." },
      { code: "too_small", path: ["password"], message: "Enter it." },
    ],
  });
  expect(fieldIssue(state, "email")).toBe("Enter an email.");
  expect(typedValue(state, "email")).toBe("ada");
  expect(typedValue(state, "password")).toBe("");
  expect(run).not.toHaveBeenCalled();
});

it("refuses a missing field and a file instead of a text, and returns neither", async () => {
  const run = vi.fn();
  const form = new FormData();
  form.set("email", new File(["x"], "a@b.test"));
  const state = await submit(run, form);
  expect(state).toMatchObject({ message: null, data: {}, zodIssues: [{ path: ["email"] }, { path: ["password"] }] });
  expect(run).not.toHaveBeenCalled();
});

it("returns the message of an AppError without the password", async () => {
  const state = await fail(new AppError("unauthenticated", "The password is wrong."));
  expect(state).toEqual({ message: null, error: "The password is wrong.", data: { email: "a@b.test" } });
});

it.each([
  [
    "an outage in its own words",
    new AppError("unavailable", "Try again.", { cause: new Error("connect ECONNREFUSED") }),
    "Try again.",
    /^Error: connect ECONNREFUSED/,
  ],
  [
    "an unknown error in general words",
    new Error("relation public.secrets does not exist"),
    "Something went wrong on our side, so nothing was saved. Try again in a moment.",
    /^Error: relation public\.secrets/,
  ],
])("reports %s, and logs it once with its cause", async (_what, thrown, error, cause) => {
  const log = vi.spyOn(console, "error").mockReturnValue();
  expect(await fail(thrown)).toEqual({ message: null, error, data: { email: "a@b.test" } });
  expect(log).toHaveBeenCalledOnce();
  expect(JSON.parse(log.mock.calls[0]?.[0])).toMatchObject({
    event: "failed",
    message: error,
    cause: expect.stringMatching(cause),
  });
});

it("passes a redirect on", async () => {
  const sent = submit(async () => redirect("/riverside"));
  await expect(sent).rejects.toMatchObject({ digest: expect.stringContaining("/riverside") });
});

describe("behind a guard", () => {
  const guard = vi.fn(async () => "access");
  const run = vi.fn(async () => ({ message: "Saved." }));
  const action = formAction({ guard, rate: "accessRequest", schema, run });
  beforeEach(() => {
    vi.clearAllMocks();
    getLiveSession.mockResolvedValue({ userId: crypto.randomUUID() });
  });

  it("checks the user, then the fields, then the guard, whose result it passes on", async () => {
    expect(await action(initialFormState, toFormData(fields))).toEqual({ message: "Saved.", error: null });
    expect([guard.mock.calls, run.mock.calls]).toEqual([[[fields]], [[fields, "access"]]]);
  });

  it.each([
    ["no one is signed in", () => getLiveSession.mockResolvedValueOnce(null)],
    ["the guard finds the session ended", () => guard.mockImplementationOnce(redirectToLogin)],
  ])("says that the session has ended, keeps typed values and doesn't redirect when %s", async (_case, end) => {
    end();
    const keeping = formAction({ guard, schema, keepOnError: ["email"], run });
    expect(await keeping(initialFormState, toFormData(fields))).toEqual({
      message: null,
      error: sessionEnded,
      data: { email: fields.email },
    });
    expect(run).not.toHaveBeenCalled();
  });

  it("returns a form state without running when Auth is unreachable, access is refused or a limit is reached", async () => {
    vi.spyOn(console, "error").mockReturnValue();
    const unreachable = "Couldn't confirm that you're signed in. Try again in a moment.";
    getLiveSession.mockRejectedValueOnce(new AppError("unavailable", unreachable));
    expect(await action(initialFormState, toFormData(fields))).toEqual({ message: null, error: unreachable, data: {} });
    guard.mockRejectedValueOnce(new AppError("forbidden", "Ask an administrator."));
    expect(await action(initialFormState, toFormData(fields))).toEqual({
      message: null,
      error: "Ask an administrator.",
      data: {},
    });
    getLiveSession.mockResolvedValue({ userId: crypto.randomUUID() });
    for (let sent = 0; sent < 60; sent += 1) await action(initialFormState, toFormData(fields));
    expect(run).toHaveBeenCalledTimes(60);
    expect(await action(initialFormState, toFormData(fields))).toEqual({
      message: null,
      error: expect.stringMatching(/^Too many requests\. Try again in \d+ seconds\.$/),
      data: {},
    });
    expect(run).toHaveBeenCalledTimes(60);
  });

  it.each([undefined, null, 7, "x", {}, [], () => undefined, new Map([["email", "a@b.test"]])])(
    "treats %s instead of a form as a form without its fields",
    async (sent) => {
      const state: unknown = await Reflect.apply(action, undefined, [initialFormState, sent]);
      expect(state).toMatchObject({ message: null, error: "Fix the 2 fields above." });
      expect([guard.mock.calls, run.mock.calls]).toEqual([[], []]);
    },
  );

  it("names the part of a field that has the problem", async () => {
    const problem = new AppError("unprocessable", "No such column.", { field: "filters.0.column" });
    run.mockRejectedValueOnce(problem);
    const state = await formAction({ guard, schema, partsOf: "email", run })(initialFormState, toFormData(fields));
    const path = ["email", "filters", "0", "column"];
    expect(state).toMatchObject({ error: "No such column.", zodIssues: [{ path, message: "No such column." }] });
  });
});
