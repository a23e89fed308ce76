/** Posts a JSON body, or a string unchanged, to the handler of a route. */
export const postJson = (handler: (request: Request) => Promise<Response>, body: unknown) =>
  handler(
    new Request("http://signet.test/api/route", {
      method: "POST",
      headers: { "content-type": "application/json", host: "signet.test" },
      body: typeof body === "string" ? body : JSON.stringify(body),
    }),
  );

export const readJson = async (response: Response) => ({ status: response.status, body: await response.json() });
