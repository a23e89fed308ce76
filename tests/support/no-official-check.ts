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

/** What an official rule has that counts all signatures, instead of a sample. */
export const fullCount = {
  method: "full" as const,
  samplePercent: null,
  sampleMinimum: null,
  passPercent: null,
  failPercent: null,
};
