import * as ofCampaign from "@/app/[team]/campaign/[campaign]/dashboard/preview/route";

// POST /[team]/dashboard/preview: as in a campaign, for the charts of the whole team.
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = ofCampaign;
