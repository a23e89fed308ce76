"use client";

import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { onSessionEnded } from "@/lib/forms/session-ended";
import type { Failure } from "@/lib/http/ask-signet";
import { onAccessChanged } from "@/lib/permissions/access-changed";

declare module "@tanstack/react-query" {
  interface Register {
    /** What `bodyOf` throws. */
    defaultError: Failure;
  }
}

/** A client whose queries ask once, only when told to, and whose answers last no longer than what shows them. */
export function createQueryClient() {
  const asksOnce = { retry: false, networkMode: "always" } as const; // offline too: the screen says why it fails
  return new QueryClient({
    defaultOptions: {
      queries: { ...asksOnce, gcTime: 0, refetchOnWindowFocus: false, refetchOnReconnect: false },
      mutations: asksOnce,
    },
  });
}

/** The answers that this tab holds in memory. Those that no screen shows are dropped when access changes or the session ends. */
export function QueryProvider({ children }: { children: ReactNode }) {
  const [client] = useState(createQueryClient);
  useEffect(() => {
    const dropUnused = () => client.removeQueries({ type: "inactive" });
    const endings = [
      onSessionEnded(dropUnused),
      onAccessChanged(() => {
        dropUnused();
        void client.invalidateQueries();
      }),
    ];
    return () => {
      for (const end of endings) end();
    };
  }, [client]);
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}
