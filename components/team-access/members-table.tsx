"use client";

import { useRouter } from "next/navigation";
import { startTransition, useCallback, useOptimistic, useState, useTransition } from "react";
import { useFormat } from "@/components/shell/format-provider";
import { PageLinks, StickyHead } from "@/components/shell/list-parts";
import { BulkChanges, type ManagedTeam } from "@/components/team-access/bulk-changes";
import { MemberRow } from "@/components/team-access/member-row";
import { type MemberChoices, MembersFilterForm, membersQuery } from "@/components/team-access/members-filter-form";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { ButtonLink } from "@/components/ui/link";
import { Table } from "@/components/ui/table";
import { type FormSubmit, initialFormState, toFormData } from "@/lib/forms/form-state";
import type { Member } from "@/lib/team-access/members";
import type { MemberOrder, MembersView } from "@/lib/team-access/members-filter";
import { cn } from "@/lib/utils";

/**
 * One page of members. `all` are in the team, `found` match the filter. `first` is the place of the page's first one, from 1.
 */
export type MembersPage = { members: Member[]; found: number; all: number; first: number; pageSize: number };

/**
 * The members of a team, page by page; the URL has filter, order and page. With `manage`, members can be selected across
 * pages and changed together, except the user's own membership.
 */
export function MembersTable({
  teamId,
  ownId,
  filter: inAddress,
  pageData: { members, found, all, first, pageSize },
  invited = 0,
  choices,
  manage,
}: {
  teamId: string;
  ownId: string;
  filter: MembersView;
  pageData: MembersPage;
  /** How many open invitations match the filter. */
  invited?: number;
  choices: MemberChoices;
  manage?: (ManagedTeam & { select: FormSubmit<Member[]> }) | undefined;
}) {
  const { count, number } = useFormat();
  const router = useRouter();
  const [view, setView] = useOptimistic(inAddress);
  const { selected, isSelected, toggle, toggleAll, clear, replace } = useSelection(members);
  const [selecting, startSelecting] = useTransition();
  const path = `/${teamId}/members`;
  const go = (next: MembersView) =>
    startTransition(() => {
      setView(next);
      router.replace(path + membersQuery(next), { scroll: false });
    });
  const selectFound = (select: FormSubmit<Member[]>) =>
    startSelecting(async () => {
      const { page: _, ...filter } = view;
      const { data } = await select(initialFormState, toFormData({ ...filter, team: teamId })).catch(
        () => initialFormState,
      );
      if (Array.isArray(data)) replace(data);
    });

  const selectable = members.filter(({ userId }) => userId !== ownId);
  const pageSelected = selectable.length > 0 && selectable.every(isSelected);
  const last = first + members.length - 1;
  const isPaged = found > pageSize;
  const pageHref = (step: number) => path + membersQuery({ ...view, page: (view.page ?? 1) + step });
  return (
    <div className="flex flex-col gap-3">
      <MembersFilterForm path={path} view={view} inAddress={inAddress.words ?? ""} choices={choices} onChange={go} />
      <p role="status" className="text-muted-foreground text-sm">
        {isPaged && `${number(first)}–${number(last)} of `}
        {found === all ? count(all, "member") : `${number(found)} of ${count(all, "member")}`}
      </p>
      {members.length === 0 ? (
        <div className="flex flex-col items-start gap-3 rounded-md border px-4 py-6">
          <p>
            {invited > 0
              ? `No members match; ${count(invited, "open invitation does", "open invitations do")}.`
              : "No members match. Clear a filter or show all."}
          </p>
          <ButtonLink href={path} variant="outline">
            Show all members
          </ButtonLink>
        </div>
      ) : (
        <div className="rounded-md border">
          <Table aria-label="Members" className="table-fixed">
            <thead>
              <tr>
                {manage && (
                  <StickyHead className={cn(head, "w-11 px-0 first:pl-0 print:hidden")}>
                    <label className="flex h-8 cursor-pointer items-center justify-center pointer-coarse:h-11">
                      <Checkbox
                        aria-label={isPaged ? "Select all on this page" : "Select all shown"}
                        checked={pageSelected}
                        ref={(box) => {
                          if (box) box.indeterminate = !pageSelected && selectable.some(isSelected);
                        }}
                        onChange={() => toggleAll(selectable, !pageSelected)}
                      />
                    </label>
                  </StickyHead>
                )}
                <SortHead label="Member" order="name" view={view} path={path} />
                <SortHead label="Role" order="role" view={view} path={path} className="w-40 max-lg:hidden" />
                <StickyHead className={cn(head, "max-lg:hidden")}>Campaigns</StickyHead>
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
                  selected={isSelected(member)}
                  onToggle={toggle}
                />
              ))}
            </tbody>
          </Table>
        </div>
      )}
      {isPaged && (
        <PageLinks
          before={["Previous", first > 1 ? pageHref(-1) : null]}
          after={["Next", last < found ? pageHref(1) : null]}
        />
      )}
      {manage && selected.length > 0 && (
        <BulkChanges
          manage={manage}
          selected={selected}
          notShown={selected.length - members.filter(isSelected).length}
          onClear={clear}
        >
          {isPaged && pageSelected && selected.length < found - 1 && (
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

/** Selected members, of other pages too; those of this page with their current role and status. */
function useSelection(members: Member[]) {
  const [byId, setById] = useState<ReadonlyMap<string, Member>>(new Map());
  const current = new Map(members.map((member) => [member.userId, member]));
  const toggleAll = useCallback(
    (some: Member[], select: boolean) =>
      setById((before) => {
        const next = new Map(before);
        for (const member of some) select ? next.set(member.userId, member) : next.delete(member.userId);
        return next;
      }),
    [],
  );
  const toggle = useCallback(
    (member: Member) =>
      setById((before) => {
        const next = new Map(before);
        if (!next.delete(member.userId)) next.set(member.userId, member);
        return next;
      }),
    [],
  );
  return {
    selected: [...byId.values()].map((member) => current.get(member.userId) ?? member),
    isSelected: ({ userId }: Member) => byId.has(userId),
    toggle,
    toggleAll,
    clear: useCallback(() => setById(new Map()), []),
    replace: (some: Member[]) => setById(new Map(some.map((member) => [member.userId, member]))),
  };
}

const head = "first:rounded-tl-md last:rounded-tr-md";

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
  return (
    <StickyHead
      href={path + membersQuery({ ...filter, sort: sort === order ? `-${order}` : order })}
      sorted={sort === order ? "ascending" : sort === `-${order}` ? "descending" : undefined}
      className={cn(head, className)}
    >
      {label}
    </StickyHead>
  );
}
