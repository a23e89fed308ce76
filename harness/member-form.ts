import { z } from "zod";

const changeSchema = z.looseObject({
  members: z.tuple([z.object({ userId: z.string(), before: z.looseObject({}) })]),
});

/** The hidden fields of a form, in order. */
export function hiddenFieldsOf(form: string): [name: string, value: string][] {
  const inputs = [...form.matchAll(/<input type="hidden" name="([^"]*)"(?: value="([^"]*)")?/g)];
  return inputs.map(([, name = "", value = ""]) => [name, value.replaceAll("&quot;", '"').replaceAll("&amp;", "&")]);
}

/**
 * The form on a member's page that changes their status, as a browser without JavaScript sends it. Its hidden fields are in
 * order, and include the change from the other status to this one.
 */
export function readMemberForm(html: string, userId: string) {
  const form = html.match(/<form\b.*?<\/form>/gs)?.find((candidate) => candidate.includes(userId));
  if (!form) throw new Error(`The page has no form for ${userId}: ${html.slice(0, 500)}`);
  const fields = hiddenFieldsOf(form);
  return (status: "active" | "suspended") => {
    const body = new FormData();
    for (const [name, value] of fields) body.append(name, name === "change" ? changeTo(status, value) : value);
    return body;
  };
}

function changeTo(status: "active" | "suspended", shown: string) {
  const { members, ...change } = changeSchema.parse(JSON.parse(shown));
  const [{ userId, before }] = members;
  const previousStatus = status === "active" ? "suspended" : "active";
  const member = { userId, before: { ...before, status: previousStatus }, after: { ...before, status } };
  return JSON.stringify({ ...change, members: [member] });
}
