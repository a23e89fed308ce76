"use client";

import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";

let released = false; // for all guards of a page: what one has let go, no other asks about

/**
 * While it is armed, leaving the page is asked about first: by a link of the application or by Back, where `leaving` is
 * how to go on, and by closing the tab, which the browser itself asks about. Browsers without the Navigation API do not ask
 * at Back.
 */
export function useLeaveGuard(armed: boolean) {
  const { push } = useRouter();
  const [leaving, setLeaving] = useState<(() => void) | null>(null);

  useEffect(() => {
    if (!armed) return;
    released = false;
    const ask = (event: Event, go: () => void) => {
      event.preventDefault();
      setLeaving(() => () => {
        released = true;
        go();
      });
    };
    const onClick = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest("a") : null;
      const isPlain = event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
      if (event.defaultPrevented || released) return; // another guard asks, or has
      if (!link?.href || !isPlain || link.download || !["", "_self"].includes(link.target)) return;
      const { origin, pathname, search, hash } = new URL(link.href);
      if (origin !== location.origin || pathname + search === location.pathname + location.search) return;
      ask(event, () => push(pathname + search + hash));
    };
    const onNavigate = (event: NavigateEvent) => {
      const { navigationType, cancelable, destination } = event;
      if (navigationType !== "traverse" || !cancelable || !destination.sameDocument) return;
      if (event.defaultPrevented || released) return;
      ask(event, () => void navigation.traverseTo(destination.key).finished?.catch(() => undefined));
    };
    const onUnload = (event: BeforeUnloadEvent) => {
      if (!released) event.preventDefault();
    };
    const onArrived = () => {
      released = false; // at another state of this page, where its parts stand as they were
    };
    const api = "navigation" in window ? navigation : null;
    window.addEventListener("click", onClick, true); // before the link hears it
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

  return { leaving, stay: () => setLeaving(null) };
}
