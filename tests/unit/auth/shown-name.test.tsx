import { renderToReadableStream } from "react-dom/server";
import { expect, it, vi } from "vitest";
import { ShownName } from "@/components/auth/shown-name";

const single = vi.hoisted(() => vi.fn());
vi.mock("@/lib/supabase/admin", () => ({
  createAdminClient: () => ({ from: () => ({ select: () => ({ eq: () => ({ single }) }) }) }),
}));

const person = { userId: "mia", email: "mia@people.test", sessionId: "s", accessToken: "t", hasEnteredCode: false };
async function reader() {
  const menu = (
    <p>
      <ShownName person={person} />
    </p>
  );
  return (await renderToReadableStream(menu)).pipeThrough(new TextDecoderStream()).getReader();
}

it("shows the email until the name is read, however late, without a reload", async () => {
  const read = Promise.withResolvers();
  single.mockReturnValue(read.promise);
  const stream = await reader();
  expect((await stream.read()).value).toContain("mia@people.test");
  read.resolve({ data: { name: "Mia One" }, error: null });
  expect((await stream.read()).value).toContain("Mia One");
});

it("shows the email while the database is unreachable", async () => {
  single.mockRejectedValue(new Error("The database is unreachable."));
  expect((await (await reader()).read()).value).toContain("mia@people.test");
});
