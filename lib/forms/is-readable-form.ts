const largest = 1024 * 1024; // bytes that Next.js takes
const deepest = 32; // levels: a form state has a handful

/**
 * Whether Next.js can read what a form sends to a server action, with JavaScript (`next-action`) or without. What it cannot
 * read it answers with a bare 500. Reads a copy of the body; true for requests that are no forms.
 */
export async function isReadableForm(request: Request): Promise<boolean> {
  const type = request.headers.get("content-type") ?? "";
  const isMultipart = type.startsWith("multipart/form-data");
  const isCall = request.headers.has("next-action");
  if (request.method !== "POST" || !(isCall || isMultipart)) return true;
  try {
    const body = await request.clone().arrayBuffer();
    if (body.byteLength > largest) return false;
    const sent = new Response(body, { headers: { "content-type": type } });
    if (!isMultipart) return isPlainJson(await sent.text(), Array.isArray);
    const form = await sent.formData();
    return (
      (!isCall || isPlainJson(form.get("0"), Array.isArray)) &&
      [...form].every(([name, value]) => !/^\$ACTION_\d+:/.test(name) || isPlainJson(value))
    );
  } catch {
    return false;
  }
}

function isPlainJson(text: unknown, is: (value: unknown) => boolean = () => true) {
  if (typeof text !== "string") return false;
  const value: unknown = JSON.parse(text);
  return is(value) && isPlain(value, 0);
}

// No action of ours takes what React can refer to beside undefined, forms (`$K`) and bound arguments (`$@`).
function isPlain(value: unknown, level: number): boolean {
  if (typeof value === "string") return /^(?!\$)|^\$(\$|[@K][0-9a-f]|undefined$)/.test(value);
  if (typeof value !== "object" || value === null) return true;
  return level < deepest && Object.values(value).every((part) => isPlain(part, level + 1));
}
