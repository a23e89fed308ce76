/** Why a line or a sheet is refused for good, and what to do, by the outcome that the database answers. */
export const lineRefusals = {
  "not-allowed": "You may not do this in this campaign any more. Reload the page to see what you may do.",
  "not-found": "This line is not in this campaign. Reload the page to see which lines are.",
  "reason-missing": "Somebody else keyed this line. Say why it is removed, and remove it then.",
  "no-sheet": "There is no such sheet. Reload the page to see which there are.",
  archived:
    "This campaign is archived: it takes no lines and no sheets. Ask the team that runs it to bring it back, then send this again.",
} as const;
