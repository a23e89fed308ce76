"use client";

import { useCallback, useDeferredValue, useMemo, useRef, useState } from "react";
import { useFormat } from "@/components/shell/format-provider";
import { useScreenKeys } from "@/components/shell/screen-keys";
import { BulkChanges, type ManagedTeam } from "@/components/team-access/bulk-changes";
import { MemberRow } from "@/components/team-access/member-row";
import { searchText } from "@/components/team-access/member-text";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Input } from "@/components/ui/input";
import { Table, TableHead } from "@/components/ui/table";
import { matchesWords } from "@/lib/matches-words";
import type { Member } from "@/lib/team-access/list-members";

/**
 * The members of a team, with a filter over all that is shown of them. `manage` is there for those who may change them:
 * they select several and change them at once. Nobody changes her own membership.
 */
export function MembersTable({
  teamId,
  ownId,
  members,
  manage,
}: {
  teamId: string;
  ownId: string;
  members: Member[];
  manage?: ManagedTeam;
}) {
  const { count, number } = useFormat();
  const input = useRef<HTMLInputElement>(null);
  const [query, setQuery] = useState("");
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const wanted = useDeferredValue(query);
  const shown = useMemo(() => members.filter((member) => matchesWords(searchText(member), wanted)), [members, wanted]);
  const selectable = useMemo(() => shown.filter(({ userId }) => userId !== ownId), [shown, ownId]);
  const selected = members.filter(({ userId }) => ticked.has(userId));
  const all = selectable.length > 0 && selectable.every(({ userId }) => ticked.has(userId));
  useScreenKeys(useMemo(() => [{ key: "/", does: "Filter members", run: () => input.current?.focus() }], []));

  const toggle = useCallback(
    (userId: string) =>
      setTicked((before) => {
        const next = new Set(before);
        if (!next.delete(userId)) next.add(userId);
        return next;
      }),
    [],
  );
  const clear = useCallback(() => setTicked(new Set()), []);

  return (
    <div className="flex flex-col gap-3">
      <div className="flex items-center gap-3">
        <Input
          ref={input}
          type="search"
          aria-label="Filter members"
          placeholder="Name, role, status, campaign"
          autoComplete="off"
          spellCheck={false}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          className="md:max-w-80"
        />
        <p role="status" className="whitespace-nowrap text-muted-foreground text-sm">
          {shown.length !== members.length && `${number(shown.length)} of `}
          {count(members.length, "member")}
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
                {manage && (
                  <TableHead className="w-11 px-0 first:pl-0">
                    {/* biome-ignore lint/a11y/noLabelWithoutControl: the box inside is one */}
                    <label className="flex h-8 cursor-pointer items-center justify-center pointer-coarse:h-11">
                      <Checkbox
                        aria-label={
                          shown.length === members.length ? "Select all members" : "Select all that are shown"
                        }
                        checked={all}
                        ref={(box) => {
                          if (box) box.indeterminate = !all && selectable.some(({ userId }) => ticked.has(userId));
                        }}
                        onChange={() => {
                          const ids = selectable.map(({ userId }) => userId);
                          setTicked(new Set(all ? [...ticked].filter((id) => !ids.includes(id)) : [...ticked, ...ids]));
                        }}
                      />
                    </label>
                  </TableHead>
                )}
                <TableHead>Member</TableHead>
                <TableHead className="w-40 max-lg:hidden">Role</TableHead>
                <TableHead className="max-lg:hidden">Campaigns</TableHead>
                <TableHead className="w-28">Status</TableHead>
              </tr>
            </thead>
            <tbody>
              {shown.map((member) => (
                <MemberRow
                  key={member.userId}
                  teamId={teamId}
                  member={member}
                  isOwn={member.userId === ownId}
                  selectable={manage !== undefined}
                  selected={ticked.has(member.userId)}
                  onToggle={toggle}
                />
              ))}
            </tbody>
          </Table>
        </div>
      )}
      {manage && selected.length > 0 && (
        <BulkChanges teamId={teamId} manage={manage} selected={selected} onClear={clear} />
      )}
    </div>
  );
}
