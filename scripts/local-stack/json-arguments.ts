// `@supabase/lite` encodes json arguments of SQL functions as JSON, except strings. The package `postgres` then encodes each of
// them again, as a JSON string. Supabase passes the value that was sent, and so does a connection with these fixes.
import type { Connection } from "@supabase/lite";

/** Types for `postgres`: a string for a json argument is JSON already. */
export const jsonTypes = {
  json: { to: 114, from: [114], serialize: toJson, parse: fromJson },
  jsonb: { to: 3802, from: [3802], serialize: toJson, parse: fromJson },
};

function toJson(value: unknown) {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function fromJson(text: string): unknown {
  return JSON.parse(text);
}

/** Makes the connection encode strings for json arguments as JSON too. It must use `jsonTypes`. */
export function encodeJsonArguments(connection: Connection): void {
  const read = connection.onPostgrestAST.bind(connection);
  connection.onPostgrestAST = async (...args) => {
    const request = await read(...args);
    if (request.type !== "rpc" || !request.args || Array.isArray(request.args)) return request;
    const { functions = [] } = await connection.introspect({ useCache: true });
    const called = functions.find(
      ({ schema, name }) => schema === (request.schema ?? "public") && name === request.function,
    );
    const isJson = (name: string) => /^jsonb?$/.test(called?.arg_types[called.arg_names.indexOf(name)] ?? "");
    const encoded = Object.entries(request.args).map(([name, value]: [string, unknown]) => [
      name,
      typeof value === "string" && request.httpMethod === "POST" && isJson(name) ? JSON.stringify(value) : value,
    ]);
    return { ...request, args: Object.fromEntries(encoded) };
  };
}
