import { afterEach, beforeAll } from "vitest";
import { queryClient } from "@/components/shell/query-client";
import { loadQueries } from "@/components/shell/use-query";

/** Tests by a fake clock: the library is fetched by the real one, first. No answer outlasts a test. */
export function queriesAreLoaded() {
  beforeAll(loadQueries);
  afterEach(() => queryClient.clear());
}
