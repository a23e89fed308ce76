"use client";

import { LeaveDialog } from "@/components/forms/leave-dialog";
import { useLeaveGuard } from "@/components/forms/use-leave-guard";

/** While armed, asks before unsaved changes are left. */
export function LeaveGuard({ armed }: { armed: boolean }) {
  const { leaving, stay } = useLeaveGuard(armed);
  return (
    leaving && (
      <LeaveDialog onStay={stay} onDiscard={leaving}>
        Your changes on this page aren&apos;t saved.
      </LeaveDialog>
    )
  );
}
