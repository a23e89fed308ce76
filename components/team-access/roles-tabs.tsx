import { PageTabs } from "@/components/shell/page-tabs";

const tabs = { roles: "Roles", sets: "Sets", administrators: "Administrators", who: "Who can …?" } as const;
/** What the roles page shows. */
export type RolesTab = keyof typeof tabs;

/** What an address asks the roles page to show; the roles where it says nothing. */
export function rolesTabOf(asked: unknown): RolesTab {
  return asked === "sets" || asked === "administrators" || asked === "who" ? asked : "roles";
}

/** The ways between the parts of the roles page, one of which is shown. */
export function RolesTabs({ path, shown }: { path: string; shown: RolesTab }) {
  const hrefOf = (tab: string) => (tab === "roles" ? path : `${path}?show=${tab}`);
  const links = Object.entries(tabs).map(([tab, label]) => ({ href: hrefOf(tab), label }));
  return <PageTabs label="Roles" tabs={links} shown={hrefOf(shown)} />;
}
