/** The team and the campaign that an address lies in, and the page there: `/voters`, empty for the first one. */
export function placeOf(pathname: string): { team: string; campaign: string | undefined; page: string } {
  const [, team = "", folder, campaign, ...rest] = pathname.split("/");
  const inCampaign = folder === "campaign" && campaign !== undefined;
  const page = inCampaign ? rest : pathname.split("/").slice(2);
  return { team, campaign: inCampaign ? campaign : undefined, page: page.map((step) => `/${step}`).join("") };
}
