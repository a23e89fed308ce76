/** Each permission key with its label on screens. The rows of public.permission_keys are the same. */
export const permissionKeys = {
  "campaign.view": "See the campaign overview",
  "voters.search": "Search voters",
  "signatures.view": "See signatures",
  "signatures.enter": "Enter signatures, and correct or remove your own",
  "signatures.remove": "Correct and remove other people's lines",
  "charts.view": "See charts",
  "charts.edit": "Create and edit charts",
  "members.view": "See members",
  "members.manage": "Manage members, campaigns, and settings",
  "roles.manage": "Change roles and permission sets",
} as const;

export type PermissionKey = keyof typeof permissionKeys;

const labels: Record<string, string> = permissionKeys;
export const isPermissionKey = (key: string): key is PermissionKey => Object.hasOwn(permissionKeys, key);
/** All permission keys, in the order of screens. */
export const allPermissionKeys = Object.keys(permissionKeys).filter(isPermissionKey);

/** Whether a permission works only in campaigns. If someone has it team-wide, it applies in each they can open. */
export const isForCampaigns = (key: string) => key === "campaign.view" || key.startsWith("signatures.");

/** The label of a permission. A team's own keys have none here. */
export function permissionLabel(key: string): string {
  return labels[key] ?? key;
}

/** What a permission lets someone else do: `see charts`. */
export const permissionAct = (key: string) =>
  permissionLabel(key)
    .replace(/^./, (first) => first.toLowerCase())
    .replace(/, and correct.*/, "");

const requiredKeys: Partial<Record<string, PermissionKey>> = {
  "signatures.enter": "signatures.view",
  "signatures.remove": "signatures.view",
  "charts.edit": "charts.view",
  "members.manage": "members.view",
};

/** Which of these permissions can't be used, because the one they need is missing; null if all can. */
export function unusableText(keys: string[]): string | null {
  const unusable = allPermissionKeys.find((key) => keys.includes(key) && !keys.includes(requiredKeys[key] ?? key));
  const missing = unusable && requiredKeys[unusable];
  return missing ? `“${permissionLabel(unusable)}” only works together with “${permissionLabel(missing)}.”` : null;
}

/** Labels in the order of screens, by what they are about: `See charts · Create and edit charts`. */
export function permissionLabels(keys: string[]): string {
  return inKeyOrder(keys).map(permissionLabel).join(" · ");
}

/** Keys in the order of screens, by what they are about. */
export function inKeyOrder<Key extends string>(keys: Key[]): Key[] {
  const order: string[] = allPermissionKeys;
  return keys.toSorted((a, b) => order.indexOf(a) - order.indexOf(b));
}
