/**
 * The form of the members' page that changes one person's membership, as a browser without JavaScript would send it:
 * its hidden fields in order, with the status that is asked for.
 */
export function readMemberForm(html: string, userId: string) {
  const form = html.match(/<form\b.*?<\/form>/gs)?.find((one) => one.includes(userId));
  if (!form) throw new Error(`The members' page has no form for ${userId}: ${html.slice(0, 500)}`);
  const inputs = [...form.matchAll(/<input type="hidden" name="([^"]*)"(?: value="([^"]*)")?/g)];
  const fields = inputs.map(
    ([, name = "", value = ""]) => [name, value.replaceAll("&quot;", '"').replaceAll("&amp;", "&")] as const,
  );
  return (status: "active" | "suspended") => {
    const body = new FormData();
    for (const [name, value] of fields) body.append(name, name === "status" ? status : value);
    return body;
  };
}
