const largest = 1024 * 1024; // bytes that Next.js takes
const deepest = 32; // levels: a form state has a handful
const mostFields = 1_000;

/** Whether a request sends a form to a server action, with JavaScript (`next-action`) or without. */
export function isForm(request: Request): boolean {
  return request.method === "POST" && (request.headers.has("next-action") || isMultipart(request));
}

/**
 * Whether Next.js can read what a form sends. What it cannot read it answers with a bare 500. Reads a copy of the body, at
 * most a MiB of it.
 */
export async function isReadableForm(request: Request): Promise<boolean> {
  const isCall = request.headers.has("next-action");
  try {
    if (Number(request.headers.get("content-length") ?? 0) > largest) return false;
    const body = await request.clone().arrayBuffer();
    if (body.byteLength > largest) return false;
    const sent = new Response(body, { headers: { "content-type": request.headers.get("content-type") ?? "" } });
    if (!isMultipart(request)) return isArguments(await sent.text());
    const form = await sent.formData();
    if ([...form].length > mostFields) return false;
    return isCall ? isArguments(form.get("0")) : [...form.keys()].every((name) => isReadableReference(form, name));
  } catch {
    return false;
  }
}

const isMultipart = (request: Request) =>
  request.headers.get("content-type")?.startsWith("multipart/form-data") === true;

// What React writes for an action with arguments: a field that says so, one with the action's id, one with the arguments.
function isReadableReference(form: FormData, name: string) {
  if (!/^\$ACTION_(?!ID_|KEY$)/.test(name)) return true;
  const [, reference] = /^\$ACTION_(?:REF_)?(\d+)(?::[01])?$/.exec(name) ?? [];
  if (reference === undefined || form.getAll(name).length > 1) return false;
  return isPlainJson(form.get(`$ACTION_${reference}:0`)) && isArguments(form.get(`$ACTION_${reference}:1`));
}

const isArguments = (text: unknown) => isPlainJson(text, (value) => Array.isArray(value) && value.length <= deepest);

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
