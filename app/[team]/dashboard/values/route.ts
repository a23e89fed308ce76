import * as ofCampaign from "@/app/[team]/campaign/[campaign]/dashboard/values/route";

// POST /[team]/dashboard/values: as in a campaign, for the charts of the whole team.
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = ofCampaign;
