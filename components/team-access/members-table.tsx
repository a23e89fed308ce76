"use client";

import { ArrowDown, ArrowUp } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { startTransition, useCallback, useOptimistic, useState, useTransition } from "react";
import { useFormat } from "@/components/shell/format-provider";
import { BulkChanges, type ManagedTeam } from "@/components/team-access/bulk-changes";
import { MemberRow } from "@/components/team-access/member-row";
import { type MemberChoices, MembersFilterForm } from "@/components/team-access/members-filter-form";
import { membersQuery } from "@/components/team-access/members-query";
import { Button, buttonVariants } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Table, TableHead } from "@/components/ui/table";
import { type FormSubmit, unsent } from "@/lib/forms/form-state";
import type { Member } from "@/lib/team-access/members";
import type { MemberOrder, MembersView } from "@/lib/team-access/members-filter";
import { cn } from "@/lib/utils";

/** One page of members: those of it, how many the filter lets through, how many there are, and which they are, from 1. */
export type MembersPage = { members: Member[]; found: number; all: number; first: number; pageSize: number };

/**
 * The members of a team, page by page; filter, order and page stand in the address. `manage` is there for those who may change
 * them: they select several, on several pages, and change them at once. Nobody changes her own membership.
 */
export function MembersTable({
  teamId,
  ownId,
  view: inAddress,
  page: { members, found, all, first, pageSize },
  choices,
  manage,
}: {
  teamId: string;
  ownId: string;
  view: MembersView;
  page: MembersPage;
  choices: MemberChoices;
  manage?: ManagedTeam & { select: FormSubmit<Member[]> };
}) {
  const { count, number } = useFormat();
  const router = useRouter();
  const [view, setView] = useOptimistic(inAddress);
  const [ticked, setTicked] = useState<ReadonlyMap<string, Member>>(new Map());
  const [selecting, startSelecting] = useTransition();
  const path = `/${teamId}/members`;
  const go = (next: MembersView) =>
    startTransition(() => {
      setView(next);
      router.replace(path + membersQuery(next), { scroll: false });
    });

  const selectable = members.filter(({ userId }) => userId !== ownId);
  const pageTicked = selectable.length > 0 && selectable.every(({ userId }) => ticked.has(userId));
  const onPage = new Map(members.map((member) => [member.userId, member])); // as they are now
  const selected = [...ticked.values()].map((member) => onPage.get(member.userId) ?? member);
  const toggle = useCallback(
    (member: Member) =>
      setTicked((before) => {
        const next = new Map(before);
        if (!next.delete(member.userId)) next.set(member.userId, member);
        return next;
      }),
    [],
  );
  const togglePage = () =>
    setTicked((before) => {
      const next = new Map(before);
      for (const member of selectable) pageTicked ? next.delete(member.userId) : next.set(member.userId, member);
      return next;
    });
  const clear = useCallback(() => setTicked(new Map()), []);
  const selectFound = (select: FormSubmit<Member[]>) =>
    startSelecting(async () => {
      const { page: _, ...filter } = view;
      const form = new FormData();
      for (const [name, value] of Object.entries({ ...filter, team: teamId })) if (value) form.set(name, value);
      const { data } = await select(unsent, form).catch(() => unsent);
      if (Array.isArray(data)) setTicked(new Map(data.map((member) => [member.userId, member])));
    });

  const last = first + members.length - 1;
  const isPaged = found > pageSize;
  return (
    <div className="flex flex-col gap-3">
      <MembersFilterForm path={path} view={view} inAddress={inAddress.words ?? ""} choices={choices} onChange={go} />
      <p role="status" className="text-muted-foreground text-sm">
        {isPaged && `${number(first)} to ${number(last)} of `}
        {found === all ? count(all, "member") : `${number(found)} of ${count(all, "member")}`}
      </p>
      {members.length === 0 ? (
        <div className="flex flex-col items-start gap-3 rounded-md border px-4 py-6">
          <p>No member matches. Take something out of the filter, or show all.</p>
          <Link href={path} prefetch={false} className={buttonVariants({ variant: "outline" })}>
            Show all members
          </Link>
        </div>
      ) : (
        <div className="rounded-md border">
          <Table aria-label="Members" className="table-fixed">
            <thead>
              <tr>
                {manage && (
                  <TableHead className={cn(head, "w-11 px-0 first:pl-0")}>
                    {/* biome-ignore lint/a11y/noLabelWithoutControl: the box inside is one */}
                    <label className="flex h-8 cursor-pointer items-center justify-center pointer-coarse:h-11">
                      <Checkbox
                        aria-label={isPaged ? "Select all on this page" : "Select all that are shown"}
                        checked={pageTicked}
                        ref={(box) => {
                          if (box) {
                            box.indeterminate = !pageTicked && selectable.some(({ userId }) => ticked.has(userId));
                          }
                        }}
                        onChange={togglePage}
                      />
                    </label>
                  </TableHead>
                )}
                <SortHead label="Member" order="name" view={view} path={path} />
                <SortHead label="Role" order="role" view={view} path={path} className="w-40 max-lg:hidden" />
                <TableHead className={cn(head, "max-lg:hidden")}>Campaigns</TableHead>
                <SortHead label="Status" order="status" view={view} path={path} className="w-28" />
              </tr>
            </thead>
            <tbody>
              {members.map((member) => (
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
      {isPaged && (
        <nav aria-label="Pages" className="flex justify-end gap-2">
          {first > 1 && (
            <Link
              rel="prev"
              href={path + membersQuery({ ...view, page: (view.page ?? 1) - 1 })}
              prefetch={false}
              className={buttonVariants({ variant: "outline" })}
            >
              Previous
            </Link>
          )}
          {last < found && (
            <Link
              rel="next"
              href={path + membersQuery({ ...view, page: (view.page ?? 1) + 1 })}
              prefetch={false}
              className={buttonVariants({ variant: "outline" })}
            >
              Next
            </Link>
          )}
        </nav>
      )}
      {manage && selected.length > 0 && (
        <BulkChanges teamId={teamId} manage={manage} selected={selected} onClear={clear}>
          {isPaged && pageTicked && selected.length < found - 1 && (
            <Button
              variant="ghost"
              className="mr-auto"
              aria-disabled={selecting}
              onClick={() => !selecting && selectFound(manage.select)}
            >
              {selecting ? "Selecting…" : `Select all ${number(found)}`}
            </Button>
          )}
        </BulkChanges>
      )}
    </div>
  );
}

// Below the bar of the page. A cell that stays in place leaves its border behind.
const head =
  "sticky top-12 z-2 border-b-0 bg-background shadow-[inset_0_-1px_0_var(--border)] first:rounded-tl-md last:rounded-tr-md pointer-coarse:top-14";

function SortHead({
  label,
  order,
  view: { page: _, sort = "name", ...filter },
  path,
  className,
}: {
  label: string;
  order: MemberOrder;
  view: MembersView;
  path: string;
  className?: string;
}) {
  const back = sort === `-${order}`;
  const sorted = back || sort === order;
  const Arrow = back ? ArrowDown : ArrowUp;
  return (
    <TableHead className={cn(head, className)} aria-sort={back ? "descending" : sorted ? "ascending" : undefined}>
      <Link
        href={path + membersQuery({ ...filter, sort: sort === order ? `-${order}` : order })}
        prefetch={false}
        scroll={false}
        className="-mx-1 inline-flex h-7 items-center gap-1 rounded-md px-1 hover:text-foreground"
      >
        {label}
        {sorted && <Arrow aria-hidden className="size-3" />}
      </Link>
    </TableHead>
  );
}
