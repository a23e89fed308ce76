import { PageTabs } from "@/components/shell/page-tabs";

/** The ways between what was changed in a team and what was read. */
export function ActivityTabs({ teamId, shown }: { teamId: string; shown: "changes" | "reads" }) {
  const [changes, reads] = [`/${teamId}/activity`, `/${teamId}/activity/reads`];
  const tabs = [
    { href: changes, label: "Changes" },
    { href: reads, label: "Exports and searches" },
  ];
  return <PageTabs label="Activity" tabs={tabs} shown={shown === "reads" ? reads : changes} />;
}
