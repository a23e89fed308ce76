import { z } from "zod";

const changeSchema = z.looseObject({
  members: z.tuple([z.object({ userId: z.string(), before: z.looseObject({}) })]),
});

/**
 * The form of a member's page that changes one person's membership, as a browser without JavaScript would send it:
 * its hidden fields in order, with a change to the status that is asked for from the other one.
 */
export function readMemberForm(html: string, userId: string) {
  const form = html.match(/<form\b.*?<\/form>/gs)?.find((one) => one.includes(userId));
  if (!form) throw new Error(`The page has no form for ${userId}: ${html.slice(0, 500)}`);
  const inputs = [...form.matchAll(/<input type="hidden" name="([^"]*)"(?: value="([^"]*)")?/g)];
  const fields = inputs.map(
    ([, name = "", value = ""]) => [name, value.replaceAll("&quot;", '"').replaceAll("&amp;", "&")] as const,
  );
  return (status: "active" | "suspended") => {
    const body = new FormData();
    for (const [name, value] of fields) body.append(name, name === "change" ? changeTo(status, value) : value);
    return body;
  };
}

function changeTo(status: "active" | "suspended", shown: string) {
  const { members, ...change } = changeSchema.parse(JSON.parse(shown));
  const [{ userId, before }] = members;
  const other = status === "active" ? "suspended" : "active";
  const member = { userId, before: { ...before, status: other }, after: { ...before, status } };
  return JSON.stringify({ ...change, members: [member] });
}
