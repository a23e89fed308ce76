"use client";

import { useDeferredValue, useMemo, useRef, useState } from "react";
import { MemberStatusForm, type SaveAccess } from "@/components/members/member-status-form";
import { useScreenKeys } from "@/components/shell/screen-keys";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { Table, TableCell, TableHead, TableRow } from "@/components/ui/table";
import { matchesWords } from "@/lib/matches-words";
import type { Member } from "@/lib/teams/team-members";

const statusTones = { active: "done", invited: "waiting", suspended: "neutral" } as const;

const textOf = (member: Member) =>
  [member.name, member.email, member.role, member.status, campaignsOf(member)].join(" ");

function campaignsOf({ isAdministrator, campaigns }: Member) {
  if (isAdministrator) return "All campaigns";
  return campaigns.map(({ name, role }) => (role ? `${name} (${role})` : name)).join(", ");
}

/**
 * The members of a team, with a filter over all that is shown of them. `change` is there for those who may change them;
 * nobody changes her own membership.
 */
export function MembersTable({
  members,
  change,
}: {
  members: Member[];
  change?: { teamId: string; ownId: string; save: SaveAccess };
}) {
  const input = useRef<HTMLInputElement>(null);
  const [query, setQuery] = useState("");
  const wanted = useDeferredValue(query);
  const shown = useMemo(() => members.filter((member) => matchesWords(textOf(member), wanted)), [members, wanted]);
  useScreenKeys(useMemo(() => [{ key: "/", does: "Filter members", run: () => input.current?.focus() }], []));

  return (
    <div className="flex flex-col gap-3">
      <div className="flex items-center gap-3">
        <Input
          ref={input}
          type="search"
          aria-label="Filter members"
          placeholder="Name, role, campaign"
          autoComplete="off"
          spellCheck={false}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          className="md:max-w-80"
        />
        <p role="status" className="whitespace-nowrap text-muted-foreground text-sm">
          {shown.length === members.length ? count(members.length) : `${shown.length} of ${count(members.length)}`}
        </p>
      </div>
      {shown.length === 0 ? (
        <div className="flex flex-col items-start gap-3 rounded-md border px-4 py-6">
          <p className="wrap-anywhere">No member matches “{wanted}”.</p>
          <Button
            variant="outline"
            onClick={() => {
              setQuery("");
              input.current?.focus();
            }}
          >
            Show all members
          </Button>
        </div>
      ) : (
        <div className="overflow-hidden rounded-md border">
          <Table aria-label="Members" className="table-fixed">
            <thead>
              <tr>
                <TableHead>Member</TableHead>
                <TableHead className="w-40 max-lg:hidden">Role</TableHead>
                <TableHead className="max-lg:hidden">Campaigns</TableHead>
                <TableHead className={change ? "w-36 lg:w-60" : "w-28"}>Status</TableHead>
              </tr>
            </thead>
            <tbody>
              {shown.map((member) => (
                <TableRow key={member.userId}>
                  <TableCell>
                    <p title={member.name} className="truncate font-medium">
                      {member.name}
                    </p>
                    <p title={member.email} className="truncate text-muted-foreground text-sm">
                      {member.email}
                    </p>
                    <p className="wrap-anywhere text-muted-foreground text-sm lg:hidden">
                      {member.role}
                      {campaignsOf(member) && ` · ${campaignsOf(member)}`}
                    </p>
                  </TableCell>
                  <TableCell className="wrap-anywhere max-lg:hidden">{member.role}</TableCell>
                  <TableCell className="wrap-anywhere max-lg:hidden">
                    {campaignsOf(member) || <span className="text-muted-foreground">none</span>}
                  </TableCell>
                  <TableCell className="align-top lg:align-middle">
                    <div className="flex flex-col items-start gap-2 lg:flex-row lg:items-center lg:justify-between">
                      <Badge tone={statusTones[member.status]}>{member.status}</Badge>
                      {change && member.userId !== change.ownId && member.status !== "invited" && (
                        <MemberStatusForm teamId={change.teamId} member={member} save={change.save} />
                      )}
                    </div>
                  </TableCell>
                </TableRow>
              ))}
            </tbody>
          </Table>
        </div>
      )}
    </div>
  );
}

const count = (members: number) => (members === 1 ? "1 member" : `${members} members`);
