import type { QueryObserverOptions } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from "react";
import type { Failure } from "@/lib/http/call-api";

const retryMs = 2_000;

type Options<Body> = Omit<QueryObserverOptions<Body, Failure>, "initialData" | "select"> & {
  initialData?: Body | undefined;
  /** False while nothing is fetched and no new result is shown. */
  subscribed?: boolean;
};
type Result<Body> = {
  data: Body;
  error: Failure | null;
  isPending: boolean;
  isError: boolean;
  isFetching: boolean;
  /** The time of the data, in ms since 1970; 0 before the first response. */
  dataUpdatedAt: number;
  refetch: () => Promise<unknown>;
};

type Library = typeof import("@/components/shell/query-client");
let library: Library | null = null;

/** Fetches the library, which the first query does otherwise. */
export async function loadQueries(): Promise<Library> {
  library ??= await import("@/components/shell/query-client");
  return library;
}

/** Drops all cached responses, like a page load. */
export function clearQueries() {
  library?.queryClient.clear();
}

/** Refetches these queries where they are shown. */
export function invalidateQueries(queryKey: readonly unknown[]) {
  void library?.queryClient.invalidateQueries({ queryKey });
}

/**
 * `useQuery` of react-query, whose 20 KB are fetched after the page. `queryFn` passes `callApi` through `unwrapBody`; its
 * failures are `error`. Nothing is asked on the server.
 */
export function useQuery<Body>(options: Options<Body> & { initialData: Body }): Result<Body>;
export function useQuery<Body>(options: Options<Body>): Result<Body | undefined>;
export function useQuery<Body>(options: Options<Body>): Result<Body | undefined> {
  const [loaded, setLoaded] = useState(library);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const load = async () => {
      try {
        setLoaded(await loadQueries());
      } catch {
        timer = setTimeout(() => void load(), retryMs);
      }
    };
    void load();
    return () => clearTimeout(timer);
  }, []);

  const isSubscribed = options.subscribed !== false;
  const defaulted = loaded?.queryClient.defaultQueryOptions<Body, Failure>({
    ...options,
    _optimisticResults: isSubscribed ? "optimistic" : undefined,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: later options are set below
  const observer = useMemo(
    () => (loaded && defaulted ? new loaded.QueryObserver<Body, Failure>(loaded.queryClient, defaulted) : null),
    [loaded],
  );
  const result = observer && defaulted ? observer.getOptimisticResult(defaulted) : null;
  useEffect(() => {
    if (defaulted) observer?.setOptions(defaulted);
  }, [observer, defaulted]);
  useSyncExternalStore(
    useCallback(
      (onChange) => {
        if (!loaded || !observer) return () => undefined;
        const leave = isSubscribed ? observer.subscribe(loaded.notifyManager.batchCalls(onChange)) : () => undefined;
        observer.updateResult(); // changes between the rendering and this effect
        return leave;
      },
      [loaded, observer, isSubscribed],
    ),
    () => observer?.getCurrentResult() ?? null,
    () => null,
  );
  if (observer && result) return observer.trackResult(result);
  // The library isn't there yet.
  const { initialData } = options;
  const isPending = initialData === undefined;
  const nothing = { error: null, isError: false, isFetching: false, dataUpdatedAt: 0, refetch: async () => undefined };
  return { ...nothing, data: initialData, isPending };
}
