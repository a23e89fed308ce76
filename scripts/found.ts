import { createClient } from "@supabase/supabase-js";
import { z } from "zod";
import { invitationDays } from "../lib/invitations/invitation-days.ts";
import { idFromName, localePattern, profilePattern } from "../lib/patterns.ts";
import type { Database } from "../supabase/functions/_shared/database.ts";
import { hashToken, invitationToken } from "../supabase/functions/_shared/invitation-token.ts";
import { exitWithUsageError, readArguments, runScript, UserError } from "./cli.ts";
import { loadSettings } from "./local-stack/local-folder.ts";

const usage = `npm run found -- EMAIL "TEAM" [--id ID] [--zone ZONE] [--locale LOCALE] [--profile NAME]…

Creates a team and invites its first administrator, in the Supabase project of .env, or in the local stack (which must be
running) if there is no .env. Running it again shows the state of the invitation.

  --id ID          the team's part of web addresses; otherwise made from its name
  --zone ZONE      the team's time zone, for example America/New_York; otherwise UTC
  --locale LOCALE  how dates and numbers are shown, for example en-US
  --profile NAME   let the team's campaigns use this search profile, for example NY for SEARCHSVC_URL_NY
  --help           print this`;

const resultSchema = z.discriminatedUnion("outcome", [
  z.object({ outcome: z.literal("invited"), id: z.uuid() }),
  z.object({ outcome: z.literal("id-taken"), name: z.string() }),
  z.object({ outcome: z.enum(["already-administrator", "has-administrators", "unusable"]) }),
]);

await runScript(async () => {
  const { values, positionals } = readArguments(usage, {
    allowPositionals: true,
    options: {
      id: { type: "string" },
      zone: { type: "string" },
      locale: { type: "string" },
      profile: { type: "string", multiple: true },
    },
  });
  const [email = "", typedName = "", ...extra] = positionals;
  const name = typedName.trim();
  if (!z.email().safeParse(email).success || name === "" || extra.length > 0) {
    exitWithUsageError(usage, 'Give an email address and a team, for example: you@example.org "My team"');
  }
  const { id = idFromName(name), zone = "UTC", locale = "en-US", profile: profiles = [] } = values;
  if (id === "") exitWithUsageError(usage, "Couldn't make an id from this name: choose one with --id");
  if (!isTimeZone(zone)) exitWithUsageError(usage, `There is no time zone ${zone}: use one like America/New_York`);
  if (!localePattern.test(locale) || Intl.DateTimeFormat.supportedLocalesOf(locale).length === 0) {
    exitWithUsageError(usage, `${locale} isn't a locale: use one like en-US`);
  }
  const invalidProfile = profiles.find((profile) => !profilePattern.test(profile));
  if (invalidProfile !== undefined)
    exitWithUsageError(usage, `${invalidProfile} isn't a search profile: use one like NY`);
  const { url, key, siteUrl } = readSettings();
  const supabase = createClient<Database>(url, key, { auth: { persistSession: false, autoRefreshToken: false } });
  const args = { p_id: id, p_name: name, p_email: email, p_time_zone: zone, p_locale: locale };
  const { data, error } = await supabase.rpc("found_team", args);
  if (error) throw new UserError(`Couldn't create the team in Supabase at ${url}: ${error.message || "no answer"}`);
  const result = resultSchema.parse(data);
  if (profiles.length > 0 && result.outcome !== "id-taken" && result.outcome !== "unusable") {
    const rows = profiles.map((profile) => ({ team_id: id, profile }));
    const saved = await supabase.from("team_search_profiles").upsert(rows);
    if (saved.error) throw new UserError(`Couldn't add the search profile: ${saved.error.message}. Run this again.`);
    console.log(`Campaigns of “${name}” can now search voters with ${profiles.join(", ")}.`);
  }
  switch (result.outcome) {
    case "unusable":
      throw new UserError(
        `A team can't have the id ${id}, or a name of more than 120 characters. Choose another id with --id.`,
      );
    case "id-taken":
      throw new UserError(`The id ${id} belongs to the team “${result.name}”. Choose another one with --id.`);
    case "has-administrators":
      if (profiles.length > 0) return;
      throw new UserError(`“${name}” already has administrators. They can invite others in Signet.`);
    case "already-administrator":
      return console.log(`${email} is already an administrator of “${name}”: ${siteUrl}/${id}`);
    case "invited": {
      const token = invitationToken(key, result.id);
      const saved = await supabase.rpc("save_invitation_token", { p_id: result.id, p_token_hash: hashToken(token) });
      if (saved.error) throw new UserError(`Couldn't create the link: ${saved.error.message}. Run this again.`);
      console.log(`“${name}” was created, and ${email} is invited as its administrator. An email is queued.`);
      console.log(`This link does the same, for ${invitationDays} days:\n${siteUrl}/invitation/${token}`);
    }
  }
});

function isTimeZone(zone: string) {
  try {
    return Intl.DateTimeFormat("en", { timeZone: zone }).format() !== "";
  } catch {
    return false;
  }
}

// The environment takes precedence over .env.
function readSettings() {
  loadSettings();
  const value = (name: string) => {
    const found = process.env[name];
    if (found) return found;
    throw new UserError(`${name} is not set. Fill in .env, or start the local stack: npm run demo`);
  };
  return {
    url: value("NEXT_PUBLIC_SUPABASE_URL"),
    key: value("SUPABASE_SECRET_KEY"),
    siteUrl: new URL(value("SITE_URL")).origin,
  };
}
