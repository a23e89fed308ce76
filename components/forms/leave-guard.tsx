"use client";

import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { lazyLoad } from "@/components/ui/lazy-load";

export const LeaveDialog = lazyLoad(async () => (await import("@/components/forms/leave-dialog")).LeaveQuestion, {
  whenIdle: true,
});

let isReleased = false; // shared by all guards of a page, so that only one of them asks

/**
 * While armed, blocks links and Back. `leaving` then continues, or does what was passed to `requestLeave`. Links in an element with
 * `data-keeps-changes` stay on the page, so they pass. The browser asks before the tab closes. Browsers without the
 * Navigation API don't ask at Back.
 */
export function useLeaveGuard(armed: boolean) {
  const { push } = useRouter();
  const [leaving, setLeaving] = useState<(() => void) | null>(null);

  useEffect(() => {
    if (!armed) return;
    isReleased = false;
    const requestLeave = (event: Event, leave: () => void) => {
      event.preventDefault();
      setLeaving(() => () => {
        isReleased = true;
        leave();
      });
    };
    const onClick = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest("a") : null;
      const isPlain = event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
      if (event.defaultPrevented || isReleased) return; // another guard has asked
      if (link?.closest("[data-keeps-changes]")) return;
      if (!link?.href || !isPlain || link.download || !["", "_self"].includes(link.target)) return;
      const { origin, pathname, search, hash } = new URL(link.href);
      if (origin !== location.origin || pathname + search === location.pathname + location.search) return;
      requestLeave(event, () => push(pathname + search + hash));
    };
    const onNavigate = (event: NavigateEvent) => {
      const { navigationType, cancelable, destination } = event;
      if (navigationType !== "traverse" || !cancelable || !destination.sameDocument) return;
      if (event.defaultPrevented || isReleased) return;
      requestLeave(event, () => void navigation.traverseTo(destination.key).finished?.catch(() => undefined));
    };
    const onUnload = (event: BeforeUnloadEvent) => {
      if (!isReleased) event.preventDefault();
    };
    const onArrived = () => {
      isReleased = false; // at another state of this page
    };
    const api = "navigation" in window ? navigation : null;
    window.addEventListener("click", onClick, true); // before the link handles it
    api?.addEventListener("navigate", onNavigate);
    api?.addEventListener("navigatesuccess", onArrived);
    window.addEventListener("beforeunload", onUnload);
    return () => {
      window.removeEventListener("click", onClick, true);
      api?.removeEventListener("navigate", onNavigate);
      api?.removeEventListener("navigatesuccess", onArrived);
      window.removeEventListener("beforeunload", onUnload);
    };
  }, [armed, push]);

  return { leaving, stay: () => setLeaving(null), requestLeave: (leave: () => void) => setLeaving(() => leave) };
}

/** While armed, asks before someone leaves with unsaved changes. */
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
