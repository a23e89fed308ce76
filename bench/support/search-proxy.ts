// Measures what the search route adds to calling the search backend directly, with the same search on the same stack.
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { ratio } from "../../harness/measure.ts";
import { sized } from "../../harness/run-bench.ts";
import { startedApp } from "../../harness/started-app.ts";
import { cookieOf, type Stack, startedStack } from "../../harness/started-stack.ts";
import { loadInTurn, send } from "./load-in-turn.ts";

const params = { lastName: "mar", queryFrom: 0, querySize: 25 };

/** Prints the median and 95th percentile of both ways, with 1 and with 50 requests at once. */
export async function measureSearchProxy(): Promise<void> {
  const stack = await startedStack();
  const app = await startedApp({ ...stack, RATE_LIMIT_SEARCH: "1000000" });
  // A separate token for each way, because the backend limits the searches of a token.
  const cookie = `${await cookieOf(stack, "canvasser@demo.test")}; searchsvc_token_search=${await logIn(stack)}`;
  const backend = `${stack.SEARCHSVC_URL_SEARCH}/essearch/validation`;
  const authorization = `Bearer ${await logIn(stack)}`;
  const direct = () => post(backend, params, { authorization });
  const route = () => post(`${app.url}/api/essearch-common`, { params }, { cookie });
  const { hits } = z.object({ hits: z.object({ hits: z.array(z.unknown()) }) }).parse(JSON.parse(await direct())).hits;
  const { persons } = z.object({ persons: z.array(z.unknown()) }).parse(JSON.parse(await route()));
  if (hits.length === 0 || !isDeepStrictEqual(persons, hits))
    throw new Error("The route finds others than the backend.");
  const variants = [
    { name: "the backend directly", run: direct },
    { name: "through the route", app, run: route },
  ];
  for (const atOnce of [1, 50]) {
    const resultOf = await loadInTurn("Search", variants, { rounds: sized(4, 1), requests: sized(100, 10), atOnce });
    const relativeRate = ratio(resultOf("through the route").rates, resultOf("the backend directly").rates);
    console.log(`  requests/s against the backend ${relativeRate.toFixed(2)}`);
  }
}

async function post(url: string, json: unknown, headers: Record<string, string>) {
  const { status, text } = await send(url, { headers, json });
  if (status !== 200) throw new Error(`${url} answered ${status}: ${text}`);
  return text;
}

async function logIn({ SEARCHSVC_URL_SEARCH, SEARCHSVC_API_EMAIL_SEARCH, SEARCHSVC_API_PASSWORD_SEARCH }: Stack) {
  const account = { email: SEARCHSVC_API_EMAIL_SEARCH, password: SEARCHSVC_API_PASSWORD_SEARCH, mode: "json" };
  const text = await post(`${SEARCHSVC_URL_SEARCH}/auth/login`, account, {});
  return z.object({ data: z.object({ access_token: z.string() }) }).parse(JSON.parse(text)).data.access_token;
}
