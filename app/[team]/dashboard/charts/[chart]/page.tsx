import ChartPage, * as ofCampaign from "@/app/[team]/campaign/[campaign]/dashboard/charts/[chart]/page";

/** `/[team]/dashboard/charts/[chart]`: the builder, with `charts.edit` in the team. */
export default ChartPage;
export const { generateMetadata } = ofCampaign;
