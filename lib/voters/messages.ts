export const searchTookTooLong = ["gateway-timeout", "The voter search took too long. Try again."] as const;

export const invalidResponse = [
  "bad-gateway",
  "The voter search returned an unreadable answer. Try again in a moment.",
] as const;

export const failedWith = (status: number) =>
  [
    "bad-gateway",
    status === 504 ? searchTookTooLong[1] : `Voter search isn't working (error ${status}). Try again in a moment.`,
  ] as const;

export const notSetUp = [
  "internal",
  "Voter search isn't set up. Ask the person who runs this server to set it up.",
] as const;

export const profileForbidden = [
  "forbidden",
  "You need the “Search voters” permission in a campaign with this search profile. Ask an administrator of your team.",
] as const;
