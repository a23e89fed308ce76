/** The cache tag of all snapshots of a user (contract 4.7). */
export function permissionsTag(userId: string) {
  return `permissions-${userId}`;
}
