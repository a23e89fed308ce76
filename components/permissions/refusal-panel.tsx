import type { ReactNode } from "react";
import type { AskForAccessProps } from "@/components/permissions/ask-for-access";
import { RefreshPermissions } from "@/components/permissions/refresh-permissions";
import { requireUser } from "@/lib/auth/require-user";
import { joinWithOr } from "@/lib/format/text";
import type { Granters } from "@/lib/permissions/explain";
import { readPermissionsFingerprint } from "@/lib/permissions/fingerprint";

/** Who to ask, and for what: `Ask Ada Moreno or Jun Park to restore your access.` */
export function whoToAskText({ others, isGranter }: Granters, request = "for access"): string {
  if (others.length > 0) return `Ask ${joinWithOr(others.slice(0, 5))} ${request}.`;
  if (isGranter) return "You're the only person who can grant this. Check the team's campaigns and roles.";
  return "No one in this team can grant it right now. Ask the person who runs this server.";
}

/** A refusal: what can't be opened, who to ask, and a button that checks again. `accessRequest` is what can be requested. */
export async function RefusalPanel({
  title,
  changedText = "Your permissions have changed, but you don't have access to this yet.",
  accessRequest,
  children,
}: {
  title: string;
  changedText?: string;
  accessRequest?: AskForAccessProps | false | undefined;
  children: ReactNode;
}) {
  const fingerprint = await readPermissionsFingerprint(await requireUser(), {});
  return (
    <div className="flex max-w-2xl flex-col gap-4 px-4 py-8 md:px-6 md:py-12">
      <h1 className="wrap-anywhere font-semibold text-xl">{title}</h1>
      <div className="wrap-anywhere flex flex-col gap-2 leading-6">{children}</div>
      <RefreshPermissions
        fingerprint={`${title} ${fingerprint}`} // an invitation, for example, changes only the title
        checkedAt={new Date().toISOString()}
        changedText={changedText}
        accessRequest={accessRequest}
      />
    </div>
  );
}
