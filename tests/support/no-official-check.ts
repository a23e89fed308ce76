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
