"use client";

import { LeaveDialog } from "@/components/forms/leave-dialog";
import { useLeaveGuard } from "@/components/forms/use-leave-guard";

/** While it is armed, asks before changes that are not saved are left behind. */
export function LeaveGuard({ armed }: { armed: boolean }) {
  const { leaving, stay } = useLeaveGuard(armed);
  return (
    leaving && (
      <LeaveDialog onStay={stay} onDiscard={leaving}>
        What you changed on this page is not saved.
      </LeaveDialog>
    )
  );
}
