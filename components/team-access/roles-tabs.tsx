import Link from "next/link";

const tabs = { roles: "Roles", sets: "Sets", administrators: "Administrators", who: "Who can …?" } as const;
/** What the roles page shows. */
export type RolesTab = keyof typeof tabs;

/** What an address asks the roles page to show; the roles where it says nothing. */
export function rolesTabOf(asked: unknown): RolesTab {
  return asked === "sets" || asked === "administrators" || asked === "who" ? asked : "roles";
}

/** The ways between the parts of the roles page, one of which is shown. */
export function RolesTabs({ path, shown }: { path: string; shown: RolesTab }) {
  return (
    <nav aria-label="Roles" className="-mb-2 overflow-x-auto border-b">
      <ul className="flex gap-1">
        {Object.entries(tabs).map(([tab, label]) => (
          <li key={tab}>
            <Link
              href={tab === "roles" ? path : `${path}?show=${tab}`}
              prefetch={false}
              aria-current={tab === shown ? "page" : undefined}
              className="flex h-9 items-center whitespace-nowrap border-transparent border-b-2 px-2 text-muted-foreground hover:text-foreground focus-visible:-outline-offset-2 md:px-3 aria-[current]:border-primary aria-[current]:font-medium aria-[current]:text-foreground pointer-coarse:h-11"
            >
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
