import { createHash, randomBytes } from "node:crypto";
import { z } from "zod";
import type { Person, TestDatabase } from "./test-database.ts";

type Invited = { team: string; email: string; roleId: string | undefined; campaigns?: object[]; mail?: boolean };

const answerSchema = z.looseObject({ made: z.array(z.object({ id: z.string() })) });

/** Invites an address for a person. What the database answered, and the hash of a link that was made for it, if it was. */
export async function invite(database: TestDatabase, by: Person, { team, mail = false, ...invitation }: Invited) {
  const { status, body } = await database.rest("rpc/create_invitations", {
    as: "service",
    body: { p_actor_id: by.id, p_team_id: team, p_invitations: [invitation], p_mail: mail, p_keep: true },
  });
  const hash = createHash("sha256").update(randomBytes(32)).digest("hex");
  const id = answerSchema.safeParse(body).data?.made[0]?.id;
  if (id) {
    await database.rest("rpc/keep_invitation_token", { as: "service", body: { p_id: id, p_token_hash: hash } });
  }
  return { hash, id, status, body };
}
