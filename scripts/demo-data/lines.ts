import { seededRandom } from "./seeded-random.ts";
import type { Voter } from "./voters.ts";

/** A line of the demo. `enteredAt` is a local time of the team, without a zone. */
export type Line = {
  id: string;
  team: string;
  campaign: string;
  sheet: number;
  line: number;
  verdict: string;
  note: string | null;
  voterId: string | null;
  firstName: string | null;
  lastName: string | null;
  address: string | null;
  city: string | null;
  county: string | null;
  zip: string | null;
  signedOn: string | null;
  enteredBy: string;
  enteredAt: string;
};

/** A sheet of the demo, also with local times. Without `closedAt` it is still being entered. */
export type Sheet = {
  team: string;
  campaign: string;
  number: number;
  circulator: string | null;
  collectedOn: string;
  /** How many signatures are on the sheet, entered or not. */
  signatureCount: number;
  openedBy: string;
  openedAt: string;
  closedAt: string | null;
};

type Circulator = { name: string; rejectedShare: number };
type Clerk = { email: string; share: number; firstDaysAgo: number; lastDaysAgo: number }; // both inclusive

// 12 000 accepted lines. Toby entered lines until he was suspended.
const campaigns: { team: string; campaign: string; accepted: number; durationDays: number; clerks: Clerk[] }[] = [
  {
    team: "riverside",
    campaign: "clean-water",
    accepted: 11_862,
    durationDays: 58,
    clerks: [
      { email: "clerk@demo.test", share: 6, firstDaysAgo: 58, lastDaysAgo: 1 },
      { email: "suspended@demo.test", share: 4, firstDaysAgo: 55, lastDaysAgo: 19 },
      { email: "admin@demo.test", share: 1, firstDaysAgo: 58, lastDaysAgo: 1 },
    ],
  },
  {
    team: "hillside",
    campaign: "open-parks",
    accepted: 72,
    durationDays: 9,
    clerks: [{ email: "hill@demo.test", share: 1, firstDaysAgo: 9, lastDaysAgo: 1 }],
  },
  {
    team: "riverside",
    campaign: "open-parks",
    accepted: 38,
    durationDays: 6,
    clerks: [{ email: "admin@demo.test", share: 1, firstDaysAgo: 6, lastDaysAgo: 1 }],
  },
  {
    team: "riverside",
    campaign: "safe-streets",
    accepted: 28,
    durationDays: 4,
    clerks: [{ email: "admin@demo.test", share: 1, firstDaysAgo: 4, lastDaysAgo: 1 }],
  },
];

const rejectedVerdicts = [
  ...Array<string>(34).fill("duplicate"),
  ...Array<string>(26).fill("not-found"),
  ...Array<string>(17).fill("illegible"),
  ...Array<string>(13).fill("not-registered"),
  ...Array<string>(7).fill("out-of-district"),
  ...Array<string>(3).fill("other"),
];
const notes = ["Crossed out by the signer", "No date", "Signed twice in one line"];
const overallRejectedShare = 0.06;
// The circulators, with their shares of the sheets and of invalid lines.
const circulators = [
  ...Array<Circulator>(9).fill({ name: "Mireya Osei", rejectedShare: 0.057 }),
  ...Array<Circulator>(8).fill({ name: "Paul Nakagawa", rejectedShare: 0.058 }),
  ...Array<Circulator>(6).fill({ name: "Lena Brandt", rejectedShare: 0.056 }),
  ...Array<Circulator>(5).fill({ name: "Samuel Adeyemi", rejectedShare: 0.055 }),
  ...Array<Circulator>(1).fill({ name: "Dana Whitlock", rejectedShare: 0.15 }),
];
const linesPerSheet = 20;
const effortByWeekday = [0, 1, 1.1, 1.1, 1.2, 0.9, 0.45]; // from Sunday on

type Campaign = (typeof campaigns)[number];
type OpenSheet = { sheet: Sheet; enteredLines: number; rejectedShare: number; city: string; signedDaysAgo: number };

/**
 * Makes the demo's lines and sheets of the last two months, up to yesterday. The same day (YYYY-MM-DD in the team's zone)
 * gives the same lines. Clerks enter sheet after sheet in working hours; most signers of a sheet live in one city.
 */
export function makeLines(voters: Voter[], today: string): { lines: Line[]; sheets: Sheet[] } {
  const random = seededRandom(12_000);
  const signers = new Map<string, ReturnType<typeof pickSigners>>();
  const demoCampaigns = campaigns.map((campaign) => {
    const campaignSigners = signers.get(campaign.campaign) ?? pickSigners(voters, random);
    signers.set(campaign.campaign, campaignSigners); // no one signs a campaign with two teams
    return makeCampaign(campaign, { signers: campaignSigners, today, random });
  });
  return { lines: demoCampaigns.flatMap(({ lines }) => lines), sheets: demoCampaigns.flatMap(({ sheets }) => sheets) };
}

function makeCampaign(
  campaign: Campaign,
  { signers, today, random }: { signers: ReturnType<typeof pickSigners>; today: string; random: () => number },
) {
  const between = (min: number, max: number) => min + Math.floor(random() * (max - min + 1));
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)];
  const place = { team: campaign.team, campaign: campaign.campaign };
  const lines: Line[] = [];
  const sheets: Sheet[] = [];
  const openSheets = new Map<string, OpenSheet>();
  let accepted = 0;

  const startSheet = (email: string, daysAgo: number, secondOfDay: number): OpenSheet => {
    const openedAt = localTime(today, daysAgo, secondOfDay);
    const signatureCount = random() < 0.15 ? between(11, linesPerSheet - 1) : linesPerSheet; // some sheets aren't full
    const { name: circulator, rejectedShare } = pick(circulators) ?? {
      name: null,
      rejectedShare: overallRejectedShare,
    };
    const city = signers.someCity();
    const signedDaysAgo = Math.min(daysAgo + between(1, 6), campaign.durationDays + 1);
    const sheet = {
      ...place,
      number: sheets.length + 1,
      circulator,
      collectedOn: isoDate(today, signedDaysAgo - 1), // the last day that anyone signs it
      signatureCount,
      openedBy: email,
      openedAt,
      closedAt: null,
    };
    sheets.push(sheet);
    return { sheet, enteredLines: 0, rejectedShare, city, signedDaysAgo };
  };

  // As in entry, a line that is illegible or not found has no voter.
  const pickVoter = (verdict: string, city: string): Partial<Voter> | undefined => {
    switch (verdict) {
      case "accepted":
        return signers.nextSigner(city);
      case "duplicate":
        return signers.previousSigner();
      case "out-of-district":
      case "other":
        return signers.ineligibleVoter(lines.length);
      case "illegible":
        return undefined;
      default:
        return signers.unregistered(lines.length);
    }
  };

  const enterLine = (email: string, openSheet: OpenSheet, daysAgo: number, secondOfDay: number) => {
    openSheet.enteredLines += 1;
    const verdict = random() < openSheet.rejectedShare ? (pick(rejectedVerdicts) ?? "other") : "accepted";
    const voter = pickVoter(verdict, openSheet.city);
    if (verdict === "accepted") accepted += 1;
    const signedDaysAgo = Math.max(daysAgo, openSheet.signedDaysAgo - (random() < 0.2 ? 1 : 0));
    lines.push({
      id: uuid(random),
      ...place,
      sheet: openSheet.sheet.number,
      line: openSheet.enteredLines,
      verdict,
      note: verdict === "other" ? (pick(notes) ?? null) : null,
      voterId: voter?.voterId ?? null,
      firstName: voter ? [voter.firstName, voter.middleName].filter(Boolean).join(" ") : null,
      lastName: voter?.lastName ?? null,
      address: voter?.street ? `${voter.houseNumber} ${voter.street}` : null,
      city: voter?.city ?? null,
      county: verdict === "accepted" && random() <= 0.0035 ? null : (voter?.county ?? null),
      zip: voter?.zip ?? null,
      signedOn: verdict === "accepted" ? isoDate(today, signedDaysAgo) : null,
      enteredBy: email,
      enteredAt: localTime(today, daysAgo, secondOfDay),
    });
  };

  const workdays = effortOfDays(campaign.durationDays, today, random);
  const totalEffort = workdays.reduce((sum, workday) => sum + workday.effort, 0);
  const lastWorkday = workdays.filter((workday) => workday.effort > 0).at(-1);
  for (const workday of workdays) {
    const clerks = campaign.clerks.filter(
      ({ firstDaysAgo, lastDaysAgo }) => firstDaysAgo >= workday.daysAgo && workday.daysAgo >= lastDaysAgo,
    );
    const totalShare = clerks.reduce((sum, { share }) => sum + share, 0);
    const linesToday = ((campaign.accepted / (1 - overallRejectedShare)) * workday.effort) / totalEffort;
    for (const { email, share } of clerks) {
      let secondOfDay = between(8.3 * 3_600, 9.8 * 3_600);
      let hadLunch = false;
      let remaining = Math.round((linesToday * share) / totalShare);
      // Lines that random rounding left over are entered on the last day.
      while (
        accepted < campaign.accepted &&
        (remaining > 0 || (workday === lastWorkday && email === clerks[0]?.email))
      ) {
        let openSheet = openSheets.get(email);
        if (!openSheet) {
          secondOfDay += between(60, 260);
          openSheet = startSheet(email, workday.daysAgo, secondOfDay);
          openSheets.set(email, openSheet);
        }
        secondOfDay += between(20, 68);
        if (!hadLunch && secondOfDay > 12 * 3_600) {
          secondOfDay += between(1_800, 3_000);
          hadLunch = true;
        }
        enterLine(email, openSheet, workday.daysAgo, secondOfDay);
        remaining -= 1;
        if (openSheet.enteredLines === openSheet.sheet.signatureCount) {
          openSheet.sheet.closedAt = localTime(today, workday.daysAgo, secondOfDay + 15);
          openSheets.delete(email);
        }
      }
    }
  }
  for (const { email, lastDaysAgo } of campaign.clerks) {
    const openSheet = openSheets.get(email);
    if (openSheet && lastDaysAgo > 1)
      openSheet.sheet.closedAt = lines.findLast((line) => line.enteredBy === email)?.enteredAt ?? null;
  }
  return { lines, sheets };
}

// Work grows with the campaign, varies from day to day, and stops on Sundays.
function effortOfDays(count: number, today: string, random: () => number) {
  return Array.from({ length: count }, (_, index) => {
    const daysAgo = count - index;
    const weekday = new Date(`${isoDate(today, daysAgo)}T00:00:00Z`).getUTCDay();
    const effort = (effortByWeekday[weekday] ?? 0) * (0.6 + (0.8 * index) / count) * (0.75 + random() / 2);
    return { daysAgo, effort };
  });
}

// Returns each voter once, from one city as long as it has any.
function pickSigners(voters: Voter[], random: () => number) {
  const cities = Map.groupBy(shuffled(voters, random), ({ city }) => city);
  const signed: Voter[] = [];
  const someCity = () => {
    let position = random() * (voters.length - signed.length);
    for (const [city, cityVoters] of cities) {
      position -= cityVoters.length;
      if (position < 0) return city;
    }
    throw new Error("Everyone has signed.");
  };
  return {
    someCity,
    nextSigner(city: string) {
      const voter = (random() < 0.88 ? cities.get(city)?.pop() : undefined) ?? cities.get(someCity())?.pop();
      if (!voter) throw new Error("Everyone has signed.");
      signed.push(voter);
      return voter;
    },
    previousSigner: () => signed[Math.floor(random() * signed.length)],
    /** Someone in the voter file whose line doesn't count. */
    ineligibleVoter: (number: number): Voter | undefined => voters[(number * 13) % voters.length],
    /** A name that hardly any voter has. */
    unregistered: (number: number): Partial<Voter> => ({
      firstName: voters[(number * 7) % voters.length]?.firstName,
      lastName: voters[(number * 13) % voters.length]?.lastName,
    }),
  };
}

function shuffled<T>(list: T[], random: () => number): T[] {
  const ordered = list.map((item) => ({ item, sortKey: random() }));
  return ordered.sort((a, b) => a.sortKey - b.sortKey).map(({ item }) => item);
}

function uuid(random: () => number) {
  const hex = Array.from({ length: 8 }, () =>
    Math.floor(random() * 65_536)
      .toString(16)
      .padStart(4, "0"),
  ).join("");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
}

function isoDate(today: string, daysAgo: number) {
  const date = new Date(`${today}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() - daysAgo);
  return date.toISOString().slice(0, 10);
}

function localTime(today: string, daysAgo: number, secondOfDay: number) {
  return `${isoDate(today, daysAgo)}T${new Date(secondOfDay * 1_000).toISOString().slice(11, 19)}`;
}
