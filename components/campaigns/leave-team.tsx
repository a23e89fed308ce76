"use client";

import { useAccessChanges } from "@/components/team-access/access-changes";
import { Button } from "@/components/ui/button";

/** Ends the reader's own membership, after she has seen what she loses. */
export function LeaveTeam({ teamId, teamName }: { teamId: string; teamName: string }) {
  const { review } = useAccessChanges();
  return (
    <Button
      variant="danger"
      className="self-start"
      onClick={() =>
        review({
          change: { kind: "leave-team", team: teamId },
          title: `Leave ${teamName}?`,
          confirm: "Leave the team",
          danger: true,
          note: "What you entered stays. Only a new invitation brings you back.",
          // A new document: nothing of the team stays in this one.
          onDone: (saved) => saved && window.location.assign("/"),
        })
      }
    >
      Leave the team
    </Button>
  );
}
