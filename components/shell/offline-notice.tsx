"use client";

import { usePathname } from "next/navigation";
import { useEffect } from "react";
import { useOnline } from "@/components/shell/use-online";

/** Says that there is no connection. Until it is back, links stay here: they would lead to an error page of the browser. */
export function OfflineNotice() {
  const isEntry = usePathname().endsWith("/signatures");
  const isOffline = !useOnline();
  useEffect(() => {
    const hold = (event: MouseEvent) => {
      if (!navigator.onLine && event.target instanceof Element && event.target.closest("a[href]:not([href^='#'])"))
        event.preventDefault();
    };
    window.addEventListener("click", hold, true);
    return () => window.removeEventListener("click", hold, true);
  }, []);
  return (
    <p role="status" className="border-b px-4 py-2 text-sm text-warning empty:hidden md:px-6">
      {isOffline &&
        (isEntry
          ? "No connection. Your lines are saved on this device. Look up voters once you're back online."
          : "No connection. What you see may be out of date. Links and filters work when you're back online.")}
    </p>
  );
}
