/** Each permission key with the words that screens use for it. The rows of public.permission_keys are the same. */
export const permissionKeys = {
  "campaign.view": "See the campaign overview",
  "voters.search": "Search voters",
  "signatures.view": "See signatures",
  "signatures.enter": "Enter signatures and undo one's own",
  "signatures.remove": "Remove signatures of others",
  "charts.view": "See charts",
  "charts.edit": "Build and change charts",
  "members.view": "See members",
  "members.manage": "Change members and see activity",
  "roles.manage": "Change roles and permission sets",
} as const;

export type PermissionKey = keyof typeof permissionKeys;
