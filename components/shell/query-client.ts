import { notifyManager, QueryClient, QueryObserver } from "@tanstack/react-query";
import { onSessionEnded } from "@/lib/forms/session-ended";
import { onAccessChanged } from "@/lib/permissions/access-changed";

// Loaded after the page, by `useQuery` next to this: nothing else may import it.

const asksOnce = { retry: false, networkMode: "always" } as const; // also offline, because the screen says why it fails

/**
 * This tab's cached responses. A query is sent once, only on request, or again once the device is back online if it failed. It
 * is dropped when nothing shows it any more.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      ...asksOnce,
      gcTime: 0,
      refetchOnWindowFocus: false,
      refetchOnReconnect: ({ state }) => state.status === "error",
    },
  },
});

queryClient.mount(); // so that it refetches when the tab is shown again

// Queries on screen stay visible behind the dialog that offers to sign in again.
const dropUnused = () => queryClient.removeQueries({ type: "inactive" });
onSessionEnded(dropUnused);
onAccessChanged(() => {
  dropUnused();
  void queryClient.invalidateQueries();
});

export { notifyManager, QueryObserver };
