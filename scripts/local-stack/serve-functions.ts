// Runs all edge functions in one Deno process, as Supabase's edge runtime does.
type EdgeFunction = { default: { fetch(request: Request): Response | Promise<Response> } };

const folder = new URL("../../supabase/functions/", import.meta.url);
const functions = new Map<string, EdgeFunction["default"]>();
for (const entry of Deno.readDirSync(folder)) {
  if (!entry.isDirectory || entry.name.startsWith("_")) continue;
  const loaded: EdgeFunction = await import(new URL(`${entry.name}/index.ts`, folder).href);
  functions.set(entry.name, loaded.default);
}

Deno.serve({ port: Number(Deno.env.get("PORT")), hostname: "127.0.0.1" }, (request) => {
  const name = new URL(request.url).pathname.split("/")[1] ?? "";
  return functions.get(name)?.fetch(request) ?? Response.json({ error: "There is no such function." }, { status: 404 });
});
