/** How long an invitation is open, as `private.invitation_days` in the database. */
export const invitationDays = 7;
