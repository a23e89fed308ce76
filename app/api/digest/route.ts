import { z } from "zod";
import { digestSentences } from "@/components/progress/digest-text";
import { AppError } from "@/lib/errors";
import { formatOf } from "@/lib/format/format-of";
import { route } from "@/lib/http/route";
import { listTeamProgress, readClaimedDigest } from "@/lib/progress/read-progress";

// POST /api/digest: the forecasts for a daily email. Only its sender knows its id, which is valid while it is sent.
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route({
  method: "POST",
  guard: "everyone",
  fromAnySite: true,
  body: z.object({ id: z.uuid() }),
  run: async ({ body }) => {
    const digest = await readClaimedDigest(body.id);
    if (!digest) throw new AppError("not-found", "There is no such email. It may have been sent.");
    const seesLines = new Map(digest.campaigns.map((campaign) => [campaign.id, campaign.seesLines]));
    const progress = await listTeamProgress(digest.teamId, [...seesLines.keys()]);
    const sentences = [...progress].map(([id, campaignProgress]) => [
      id,
      digestSentences(campaignProgress, seesLines.get(id) === true, formatOf(digest)),
    ]);
    return Object.fromEntries(sentences);
  },
});
