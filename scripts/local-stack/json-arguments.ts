// Lite sends a function's json arguments as texts of JSON, but for texts, which it sends as they are; `postgres` takes none of
// them for JSON, and makes a JSON string of each. On Supabase a function gets the value that was sent.
import type { Connection } from "@supabase/lite";

/** For `postgres`: a text for json is JSON already. */
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

/** Has the connection, which needs `jsonTypes`, send texts for json arguments as the JSON that they are. */
export function mendJsonArguments(connection: Connection): void {
  const read = connection.onPostgrestAST.bind(connection);
  connection.onPostgrestAST = async (...given) => {
    const request = await read(...given);
    if (request.type !== "rpc" || !request.args || Array.isArray(request.args)) return request;
    const { functions = [] } = await connection.introspect({ useCache: true });
    const called = functions.find(
      ({ schema, name }) => schema === (request.schema ?? "public") && name === request.function,
    );
    const isJson = (name: string) => /^jsonb?$/.test(called?.arg_types[called.arg_names.indexOf(name)] ?? "");
    const args = Object.entries(request.args).map(([name, value]: [string, unknown]) => [
      name,
      typeof value === "string" && request.httpMethod === "POST" && isJson(name) ? JSON.stringify(value) : value,
    ]);
    return { ...request, args: Object.fromEntries(args) };
  };
}
