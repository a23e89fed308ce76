import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestDatabase, type TestDatabase } from "../../support/test-database.ts";

// Every function that runs with its owner's rights, and who may call it beside the owner. Read a function's body with
// that in mind before you add it here.
const expected: Record<string, string[]> = {
  "private.campaigns_without_team()": ["authenticated", "service_role"],
  "private.check_same_team()": [],
  "private.close_change(boolean)": ["authenticated"],
  "private.check_invited_campaigns()": [],
  "private.close_granted_requests()": [],
  "private.keep_profile()": [],
  "private.delete_unused()": [],
  "private.effects(jsonb,jsonb)": ["authenticated"],
  "private.effects_of_invitations(uuid[])": ["authenticated"],
  "private.forget_taken()": [],
  "private.granted(text)": ["authenticated", "service_role"],
  "private.guard_campaign_of_team()": [],
  "private.guard_change()": [],
  "private.guard_hand_over()": [],
  "private.guard_search_profile()": [],
  "private.keep_invited()": [],
  "private.keep_line_history()": [],
  "private.keep_running_team()": [],
  "private.lock_access_first()": [],
  "private.log_change()": [],
  "private.log_line_change()": [],
  "private.log_truncate()": [],
  "private.members_among(text,text[])": ["authenticated"],
  "private.note_everyone()": [],
  "private.note_permission_changes()": [],
  "private.note_signer_campaigns()": [],
  "private.note_signer_changes()": [],
  "private.number_line()": [],
  "private.open_change()": ["authenticated"],
  "private.open_change_of(uuid,boolean)": [],
  "private.places_of_team(text)": ["authenticated"],
  "private.queue_invitation_mails(text,uuid[])": ["authenticated"],
  "private.renew_all_permissions()": [],
  "private.take_out_members()": [],
  "public.accept_invitation(text)": ["authenticated"],
  "public.applied_migrations()": ["service_role"],
  "public.ask_for_access(text,text,text,text)": ["authenticated"],
  "public.ask_for_signers(text[])": ["service_role"],
  "public.delete_permission_changes(bigint[])": ["service_role"],
  "public.delete_signer_changes(bigint[])": ["service_role"],
  "public.forget_signer_change(text,text,bigint)": ["service_role"],
  "public.forget_signers_asked_for(text,bigint[])": ["service_role"],
  "public.found_team(text,text,text,text,text)": ["service_role"],
  "public.keep_invitation_token(uuid,text)": ["service_role"],
  "public.pending_permission_changes(integer)": ["service_role"],
  "public.pending_signer_changes(integer)": ["service_role"],
  "public.read_invitation(text)": ["service_role"],
  "public.renew_change_numbers()": ["service_role"],
  "public.schedule_state()": ["service_role"],
  "public.signers_asked_for()": ["service_role"],
  "public.team_members(text)": ["service_role"],
};

type Found = { name: string; settings: string[] | null; callers: string[]; open: boolean };

let database: TestDatabase;
let found: Found[];
beforeAll(async () => {
  database = await openTestDatabase();
  // An empty path, so that each function is shown with its schema.
  await database.sql("set search_path = ''");
  found = await database.sql<Found>(
    `select p.oid::regprocedure::text as name, p.proconfig as settings,
       array(select r from unnest(array['anon', 'authenticated', 'service_role']) r
         where has_function_privilege(r, p.oid, 'execute')) as callers,
       exists (select from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a where a.grantee = 0) as open
     from pg_proc p join pg_namespace n on n.oid = p.pronamespace
     where p.prosecdef and n.nspname not like 'supabase\\_%'
       and n.nspname not in ('auth', 'pg_catalog', 'information_schema')`,
  );
});
afterAll(() => database.close());

test("the security definer functions are these, and nobody else may call them", () => {
  expect(Object.fromEntries(found.map(({ name, callers }) => [name, callers]))).toEqual(expected);
});

test("none can be called by everyone", () => {
  expect(found.filter(({ open }) => open)).toEqual([]);
});

// Those of `private` cannot be called over REST: they are steps of functions that run as the signed-in user.
test("strangers can call none, signed-in users over REST only those that act for themselves", () => {
  const callableBy = (role: string) => found.filter(({ callers }) => callers.includes(role)).map(({ name }) => name);
  const shown = (name: string) => name.startsWith("public.");
  expect({ anon: callableBy("anon"), authenticated: callableBy("authenticated").filter(shown).sort() }).toEqual({
    anon: [],
    authenticated: ["public.accept_invitation(text)", "public.ask_for_access(text,text,text,text)"],
  });
});

test("each looks names up in no schema but those that it names", () => {
  expect(found.filter(({ settings }) => !settings?.includes('search_path=""'))).toEqual([]);
});
