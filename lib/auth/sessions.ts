import "server-only";
import { headers } from "next/headers";
import { after } from "next/server";
import { z } from "zod";
import { describeDevice } from "@/lib/auth/device";
import type { Session } from "@/lib/auth/get-session";
import { logFailure } from "@/lib/log-event";
import { callSql } from "@/lib/supabase/call-sql";

const deviceSchema = z.object({
  id: z.uuid(),
  /** `Chrome on Windows`; null if it wasn't recorded. */
  device: z.string().nullable(),
  /** ISO 8601, as `activeAt`, which is up to 15 minutes old. */
  signedInAt: z.string(),
  activeAt: z.string(),
});
export type SessionDevice = z.infer<typeof deviceSchema>;

/**
 * The signed-in person's sessions, the most recently active first. If the device of this session isn't recorded yet, it is
 * now.
 */
export async function listSessions(session: Session): Promise<SessionDevice[]> {
  const sessions = await callSql("list_sessions", { p_actor_id: session.userId }, z.array(deviceSchema));
  const own = sessions.find(({ id, device }) => id === session.sessionId && device === null);
  if (own) {
    own.device = describeDevice((await headers()).get("user-agent") ?? "");
    recordDevice(session, own.device);
  }
  return sessions;
}

/** Saves the device of a session after the response; a failure is only logged. */
export function recordDevice({ userId, sessionId }: Session, device: string): void {
  after(async () => {
    const args = { p_actor_id: userId, p_session_id: sessionId, p_device: device };
    await callSql("record_session", args, z.unknown()).catch((error: unknown) =>
      logFailure("The device of a session wasn't recorded.", error, { user: userId }),
    );
  });
}

/** Ends all sessions of the signed-in person except this one. Refresh permissions after: the cache may still serve them. */
export async function endOtherUserSessions(session: Session): Promise<void> {
  const others = (await listSessions(session)).filter(({ id }) => id !== session.sessionId);
  await Promise.all(others.map(({ id }) => endUserSession(session, id)));
}

/** Ends one of the signed-in person's sessions, if it exists. Refresh permissions after: the cache may still serve it. */
export async function endUserSession({ userId }: Session, sessionId: string): Promise<void> {
  await callSql("end_session", { p_actor_id: userId, p_session_id: sessionId }, z.boolean());
}
