import { memo } from "react";
import { useFormat } from "@/components/shell/format-provider";
import { RowLink } from "@/components/shell/list-parts";
import { statusTones } from "@/components/team-access/member-changes";
import { Badge } from "@/components/ui/badge";
import { Checkbox } from "@/components/ui/checkbox";
import { TableCell, TableRow } from "@/components/ui/table";
import { campaignsText, endText } from "@/lib/team-access/campaigns-text";
import type { Member } from "@/lib/team-access/members";

/** One member of the list. Pass a stable `onToggle`: the row is memoized. */
export const MemberRow = memo(function MemberRow({
  teamId,
  member,
  isOwn,
  selectable,
  selected,
  onToggle,
}: {
  teamId: string;
  member: Member;
  isOwn: boolean;
  selectable: boolean;
  selected: boolean;
  onToggle: (member: Member) => void;
}) {
  const { userId, name, email, role, status } = member;
  const { shortDay } = useFormat();
  const campaigns = campaignsText(member, shortDay);
  const end = endText(member, shortDay);
  return (
    <TableRow className={selected ? "relative bg-primary-soft hover:bg-primary-soft" : "relative"}>
      {selectable && (
        <TableCell className="relative z-1 p-0 first:pl-0 last:pr-0 print:hidden">
          {isOwn ? (
            <span className="sr-only">Your own membership</span>
          ) : (
            <label className="flex h-11 cursor-pointer items-center justify-center">
              <Checkbox checked={selected} onChange={() => onToggle(member)} aria-label={`Select ${name}`} />
            </label>
          )}
        </TableCell>
      )}
      <TableCell className="first:pl-4">
        {/* The link covers the row. */}
        <RowLink href={`/${teamId}/members/${userId}`} title={name} className="block truncate">
          {name}
          {isOwn && <span className="font-normal text-muted-foreground"> (you)</span>}
        </RowLink>
        <p title={email} className="truncate text-muted-foreground text-sm">
          {email}
        </p>
        <p className="wrap-anywhere text-muted-foreground text-sm lg:hidden">
          {role}
          {campaigns && ` · ${campaigns}`}
        </p>
      </TableCell>
      <TableCell className="wrap-anywhere max-lg:hidden">{role}</TableCell>
      <TableCell className="wrap-anywhere max-lg:hidden">
        {campaigns || <span className="text-muted-foreground">None</span>}
      </TableCell>
      <TableCell className="max-lg:align-top">
        <Badge tone={statusTones[status]}>{status}</Badge>
        {end && <p className="text-muted-foreground text-sm">{end}</p>}
      </TableCell>
    </TableRow>
  );
});
