// npm run found -- EMAIL "TEAM" [--id ID] [--zone ZONE] [--locale LOCALE] [--profile NAME]: makes a team and invites its first
// administrator, in the Supabase that .env names, else in the local stack, which must run. Run again, it says how far that
// is. With --profile, which can come often, the campaigns of the team may take that search profile from now on.
import { parseArgs } from "node:util";
import { createClient } from "@supabase/supabase-js";
import { z } from "zod";
import type { Database } from "../supabase/functions/_shared/database.ts";
import { hashToken, invitationToken } from "../supabase/functions/_shared/invitation-token.ts";
import { loadSettings } from "./load-settings.ts";
import { Refusal } from "./local-stack/report.ts";
import { run } from "./local-stack/run.ts";

const answerSchema = z.discriminatedUnion("outcome", [
  z.object({ outcome: z.literal("invited"), id: z.uuid() }),
  z.object({ outcome: z.literal("id-taken"), name: z.string() }),
  z.object({ outcome: z.enum(["administers-already", "has-administrators", "unusable"]) }),
]);

await run(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      ...{ id: { type: "string" }, zone: { type: "string" }, locale: { type: "string" } },
      profile: { type: "string", multiple: true },
    },
  });
  const [email = "", typed = "", ...more] = positionals;
  const name = typed.trim();
  if (!z.email().safeParse(email).success || name === "" || more.length > 0) {
    throw new Refusal('Name an e-mail address and a team: npm run found -- you@example.org "My team"');
  }
  const { id = idOf(name), zone = "UTC", locale = "en-US", profile: profiles = [] } = values;
  if (id === "") throw new Refusal("No id can be made from this name. Choose one with --id.");
  if (!isZone(zone)) throw new Refusal(`There is no time zone ${zone}. Name one as America/New_York.`);
  if (!/^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|\d{3}))?$/.test(locale)) {
    throw new Refusal(`${locale} is no locale. Name one as en-US.`);
  }
  const wrong = profiles.find((profile) => !/^[A-Z0-9_]{1,40}$/.test(profile));
  if (wrong !== undefined) throw new Refusal(`${wrong} is no search profile. Name one as NY, of SEARCHSVC_URL_NY.`);
  const { url, key, siteUrl } = readSettings();
  const supabase = createClient<Database>(url, key, { auth: { persistSession: false, autoRefreshToken: false } });
  const asked = { p_id: id, p_name: name, p_email: email, p_time_zone: zone, p_locale: locale };
  const { data, error } = await supabase.rpc("found_team", asked);
  if (error) throw new Refusal(`Supabase at ${url} did not make the team: ${error.message || "it does not answer"}`);
  const answer = answerSchema.parse(data);
  if (profiles.length > 0 && answer.outcome !== "id-taken" && answer.outcome !== "unusable") {
    const rows = profiles.map((profile) => ({ team_id: id, profile }));
    const given = await supabase.from("team_search_profiles").upsert(rows);
    if (given.error) throw new Refusal(`The search profile was not given: ${given.error.message}. Run this again.`);
    console.log(`Campaigns of “${name}” may search voters with ${profiles.join(", ")}.`);
  }
  switch (answer.outcome) {
    case "unusable":
      throw new Refusal(
        `A team cannot have the id ${id}, or a name of more than 120 characters: --id chooses another id.`,
      );
    case "id-taken":
      throw new Refusal(`The id ${id} is that of the team “${answer.name}”. Choose another one with --id.`);
    case "has-administrators":
      if (profiles.length > 0) return;
      throw new Refusal(`“${name}” has administrators already: they invite others in Signet. Nothing was changed.`);
    case "administers-already":
      return console.log(`${email} administers “${name}” already: ${siteUrl}/${id}`);
    case "invited": {
      const token = invitationToken(key, answer.id);
      const kept = await supabase.rpc("keep_invitation_token", { p_id: answer.id, p_token_hash: hashToken(token) });
      if (kept.error) throw new Refusal(`The link could not be made: ${kept.error.message}. Run this again.`);
      console.log(`“${name}” is there, and ${email} is invited to administer it. An e-mail waits to be sent;`);
      console.log(`until it comes, this link does the same, for seven days:\n${siteUrl}/invitation/${token}`);
    }
  }
});

/** `My team` becomes `my-team`. */
function idOf(name: string) {
  const plain = name.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
  return plain
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, 63);
}

function isZone(zone: string) {
  try {
    return Intl.DateTimeFormat("en", { timeZone: zone }).format() !== "";
  } catch {
    return false;
  }
}

// What is set in the environment wins.
function readSettings() {
  loadSettings();
  const value = (name: string) => {
    const found = process.env[name];
    if (found) return found;
    throw new Refusal(`${name} is not set. Fill in .env, or start the local stack: npm run demo`);
  };
  return {
    url: value("NEXT_PUBLIC_SUPABASE_URL"),
    key: value("SUPABASE_SECRET_KEY"),
    siteUrl: new URL(value("SITE_URL")).origin,
  };
}
