import * as ofCampaign from "@/app/[team]/campaign/[campaign]/dashboard/records-csv/route";

// POST /[team]/dashboard/records-csv: as in a campaign, for the charts of the whole team.
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = ofCampaign;
