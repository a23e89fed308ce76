/** The settings of a campaign without an official check and county targets. */
export const noOfficialCheck = {
  requiredSignatures: null,
  safetyMargin: null,
  officialRejection: null,
  checkMethod: null,
  samplePercent: null,
  sampleMinimum: null,
  passPercent: null,
  failPercent: null,
  countyTargets: [],
};

/** The settings of a campaign in which nothing is chosen. */
export const plainCampaign = {
  name: "Lakes",
  signatureGoal: null,
  startsOn: null,
  endsOn: null,
  linesPerSheet: 20,
  searchProfile: null,
  districts: null,
  archived: false,
  ...noOfficialCheck,
};

/** The fields of an official rule that counts all signatures instead of a sample. */
export const fullCount = {
  method: "full" as const,
  samplePercent: null,
  sampleMinimum: null,
  passPercent: null,
  failPercent: null,
};
