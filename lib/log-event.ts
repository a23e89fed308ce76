/** Writes one structured line for whoever runs Signet. Ids and reasons alone: never a token, a name or an address. */
export function logEvent(event: string, fields: Record<string, unknown>) {
  console.info(JSON.stringify({ event, at: new Date().toISOString(), ...fields }));
}
