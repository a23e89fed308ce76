import DashboardPage, * as ofCampaign from "@/app/[team]/campaign/[campaign]/dashboard/page";

/** `/[team]/dashboard`: the charts of the whole team, with `charts.view` in it. */
export default DashboardPage;
export const { generateMetadata } = ofCampaign;
