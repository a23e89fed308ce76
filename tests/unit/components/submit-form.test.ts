import { redirect } from "next/navigation";
import { afterEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { AppError } from "@/lib/errors";
import { issueOf, typedValue } from "@/lib/forms/form-state";
import { submitForm } from "@/lib/forms/submit-form";

const schema = z.object({ email: z.email("Write an e-mail address."), password: z.string().min(1, "Write it.") });

function form(fields: Record<string, string | File>) {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.append(name, value);
  return data;
}

afterEach(() => vi.restoreAllMocks());

describe("submitForm (interface.md 2.7)", () => {
  it("answers the message and the data of what was done", async () => {
    const run = vi.fn(async () => ({ message: "Saved.", data: { id: "1" } }));
    const state = await submitForm(form({ email: "a@b.test", password: "x", extra: "y" }), { schema, run });
    expect(state).toEqual({ message: "Saved.", error: null, data: { id: "1" } });
    expect(run).toHaveBeenCalledExactlyOnceWith({ email: "a@b.test", password: "x" });
  });

  it("names the wrong fields, keeps what may be shown, and does not run", async () => {
    const run = vi.fn();
    const state = await submitForm(form({ email: "ada", password: "" }), { schema, keep: ["email"], run });
    expect(state).toEqual({
      message: null,
      error: "2 fields need a change.",
      data: { email: "ada" },
      zodIssues: [
        { code: "invalid_format", path: ["email"], message: "Write an e-mail address." },
        { code: "too_small", path: ["password"], message: "Write it." },
      ],
    });
    expect(issueOf(state, "email")).toBe("Write an e-mail address.");
    expect(typedValue(state, "email")).toBe("ada");
    expect(typedValue(state, "password")).toBe("");
    expect(run).not.toHaveBeenCalled();
  });

  it("refuses a missing field and a file in the place of a text, and gives neither back", async () => {
    const run = vi.fn();
    const state = await submitForm(form({ email: new File(["x"], "a@b.test") }), { schema, keep: ["email"], run });
    expect(state).toMatchObject({ message: null, data: {}, zodIssues: [{ path: ["email"] }, { path: ["password"] }] });
    expect(run).not.toHaveBeenCalled();
  });

  it("tells an AppError in its own words, without the password", async () => {
    const run = async () => {
      throw new AppError("unauthenticated", "The password is wrong.");
    };
    const state = await submitForm(form({ email: "a@b.test", password: "secret" }), { schema, keep: ["email"], run });
    expect(state).toEqual({ message: null, error: "The password is wrong.", data: { email: "a@b.test" } });
    expect(JSON.stringify(state)).not.toContain("secret");
  });

  it("logs an outage once with its cause", async () => {
    const log = vi.spyOn(console, "error").mockReturnValue();
    const cause = new Error("connect ECONNREFUSED");
    const run = async () => {
      throw new AppError("unavailable", "Try again in a moment.", { cause });
    };
    const state = await submitForm(form({ email: "a@b.test", password: "x" }), { schema, run });
    expect(state).toEqual({ message: null, error: "Try again in a moment.", data: {} });
    expect(log).toHaveBeenCalledExactlyOnceWith("Try again in a moment.", cause);
  });

  it("tells an unknown error in general words and logs it once", async () => {
    const log = vi.spyOn(console, "error").mockReturnValue();
    const run = async () => {
      throw new Error("relation public.secrets does not exist");
    };
    const state = await submitForm(form({ email: "a@b.test", password: "x" }), { schema, run });
    expect(state).toMatchObject({ message: null, error: expect.stringMatching(/^Something went wrong on our side/) });
    expect(JSON.stringify(state)).not.toContain("secrets");
    expect(log).toHaveBeenCalledOnce();
  });

  it("lets a redirect pass", async () => {
    const run = async () => redirect("/riverside");
    const sent = submitForm(form({ email: "a@b.test", password: "x" }), { schema, run });
    await expect(sent).rejects.toMatchObject({ digest: expect.stringContaining("/riverside") });
  });
});
