import { z } from "npm:zod@4.6.7";
import { adminClient, requireData, secretKeys } from "../_shared/clients.ts";
import { markDrained, readClock, renewEpochs } from "../_shared/permission-epochs.ts";
import { withEdgeRedis } from "../_shared/redis.ts";
import { handle } from "./handler.ts";

const pendingSchema = z.object({
  ids: z.array(z.number()),
  userIds: z.array(z.string()),
  endsInMs: z.number().nullable(),
});

export default {
  fetch: (request: Request) =>
    handle(request, {
      secretKeys: secretKeys(),
      steps: {
        readClock: () => withEdgeRedis(readClock),
        readPending: async (limit) =>
          pendingSchema.parse(requireData(await adminClient().rpc("pending_permission_changes", { p_limit: limit }))),
        renewEpochs: (userIds) => withEdgeRedis((redis) => renewEpochs(redis, userIds)),
        deletePending: async (ids) =>
          void requireData(await adminClient().rpc("delete_permission_changes", { p_ids: ids })),
        markDrained: (since, endsInMs) => withEdgeRedis((redis) => markDrained(redis, since, endsInMs)),
      },
    }),
};
