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

type Circulator = { name: string; rejected: number };
type Clerk = { email: string; share: number; from: number; to: number }; // days ago, both inclusive

// 12 000 accepted lines. Toby entered lines until he was suspended.
const campaigns: { team: string; campaign: string; accepted: number; days: number; clerks: Clerk[] }[] = [
  {
    team: "riverside",
    campaign: "clean-water",
    accepted: 11_862,
    days: 58,
    clerks: [
      { email: "clerk@demo.test", share: 6, from: 58, to: 1 },
      { email: "suspended@demo.test", share: 4, from: 55, to: 19 },
      { email: "admin@demo.test", share: 1, from: 58, to: 1 },
    ],
  },
  {
    team: "hillside",
    campaign: "open-parks",
    accepted: 72,
    days: 9,
    clerks: [{ email: "hill@demo.test", share: 1, from: 9, to: 1 }],
  },
  {
    team: "riverside",
    campaign: "open-parks",
    accepted: 38,
    days: 6,
    clerks: [{ email: "admin@demo.test", share: 1, from: 6, to: 1 }],
  },
  {
    team: "riverside",
    campaign: "safe-streets",
    accepted: 28,
    days: 4,
    clerks: [{ email: "admin@demo.test", share: 1, from: 4, to: 1 }],
  },
];

const rejections = [
  ...Array<string>(34).fill("duplicate"),
  ...Array<string>(26).fill("not-found"),
  ...Array<string>(17).fill("illegible"),
  ...Array<string>(13).fill("not-registered"),
  ...Array<string>(7).fill("out-of-district"),
  ...Array<string>(3).fill("other"),
];
const notes = ["Crossed out by the signer", "No date", "Signed twice in one line"];
const rejectedShare = 0.06; // of all lines
// The circulators, with their shares of the sheets and of invalid lines.
const circulators = [
  ...Array<Circulator>(9).fill({ name: "Mireya Osei", rejected: 0.057 }),
  ...Array<Circulator>(8).fill({ name: "Paul Nakagawa", rejected: 0.058 }),
  ...Array<Circulator>(6).fill({ name: "Lena Brandt", rejected: 0.056 }),
  ...Array<Circulator>(5).fill({ name: "Samuel Adeyemi", rejected: 0.055 }),
  ...Array<Circulator>(1).fill({ name: "Dana Whitlock", rejected: 0.15 }),
];
const linesOfSheet = 20;
const effortOfWeekday = [0, 1, 1.1, 1.1, 1.2, 0.9, 0.45]; // from Sunday on

type Campaign = (typeof campaigns)[number];
type Work = { sheet: Sheet; filled: number; rejected: number; city: string; signedOn: number };

/**
 * Makes the demo's lines and sheets of the last two months, up to yesterday. The same day (YYYY-MM-DD in the team's zone)
 * gives the same lines. Clerks enter sheet after sheet in working hours; most signers of a sheet live in one city.
 */
export function makeLines(voters: Voter[], today: string): { lines: Line[]; sheets: Sheet[] } {
  const random = seededRandom(12_000);
  const signers = new Map<string, ReturnType<typeof pickSigners>>();
  const made = campaigns.map((campaign) => {
    const campaignSigners = signers.get(campaign.campaign) ?? pickSigners(voters, random);
    signers.set(campaign.campaign, campaignSigners); // no one signs a campaign with two teams
    return makeCampaign(campaign, { signers: campaignSigners, today, random });
  });
  return { lines: made.flatMap(({ lines }) => lines), sheets: made.flatMap(({ sheets }) => sheets) };
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
  const desks = new Map<string, Work>();
  let accepted = 0;

  const openSheet = (email: string, daysAgo: number, second: number): Work => {
    const openedAt = localTime(today, daysAgo, second);
    const signatureCount = random() < 0.15 ? between(11, linesOfSheet - 1) : linesOfSheet; // some sheets aren't full
    const { name: circulator, rejected } = pick(circulators) ?? { name: null, rejected: rejectedShare };
    const city = signers.someCity();
    const signedOn = Math.min(daysAgo + between(1, 6), campaign.days + 1);
    const sheet = {
      ...place,
      number: sheets.length + 1,
      circulator,
      collectedOn: day(today, signedOn - 1), // the last day that anyone signs it
      signatureCount,
      openedBy: email,
      openedAt,
      closedAt: null,
    };
    sheets.push(sheet);
    return { sheet, filled: 0, rejected, city, signedOn };
  };

  // As in entry, a line that is illegible or not found has no voter.
  const pickVoter = (verdict: string, city: string): Partial<Voter> | undefined => {
    switch (verdict) {
      case "accepted":
        return signers.next(city);
      case "duplicate":
        return signers.earlier();
      case "out-of-district":
      case "other":
        return signers.known(lines.length);
      case "illegible":
        return undefined;
      default:
        return signers.stranger(lines.length);
    }
  };

  const enterLine = (email: string, work: Work, daysAgo: number, second: number) => {
    work.filled += 1;
    const verdict = random() < work.rejected ? (pick(rejections) ?? "other") : "accepted";
    const voter = pickVoter(verdict, work.city);
    if (verdict === "accepted") accepted += 1;
    const signedOn = Math.max(daysAgo, work.signedOn - (random() < 0.2 ? 1 : 0));
    lines.push({
      id: uuid(random),
      ...place,
      sheet: work.sheet.number,
      line: work.filled,
      verdict,
      note: verdict === "other" ? (pick(notes) ?? null) : null,
      voterId: voter?.voterId ?? null,
      firstName: voter?.firstName ?? null,
      lastName: voter?.lastName ?? null,
      address: voter?.street ? `${voter.houseNumber} ${voter.street}` : null,
      city: voter?.city ?? null,
      county: verdict === "accepted" && random() <= 0.0035 ? null : (voter?.county ?? null),
      zip: voter?.zip ?? null,
      signedOn: verdict === "accepted" ? day(today, signedOn) : null,
      enteredBy: email,
      enteredAt: localTime(today, daysAgo, second),
    });
  };

  const days = effortOfDays(campaign.days, today, random);
  const effort = days.reduce((sum, one) => sum + one.effort, 0);
  const last = days.filter((one) => one.effort > 0).at(-1);
  for (const one of days) {
    const clerks = campaign.clerks.filter(({ from, to }) => from >= one.daysAgo && one.daysAgo >= to);
    const shares = clerks.reduce((sum, { share }) => sum + share, 0);
    const linesOfDay = ((campaign.accepted / (1 - rejectedShare)) * one.effort) / effort;
    for (const { email, share } of clerks) {
      let second = between(8.3 * 3_600, 9.8 * 3_600);
      let hadLunch = false;
      let left = Math.round((linesOfDay * share) / shares);
      // Lines that random rounding left over are entered on the last day.
      while (accepted < campaign.accepted && (left > 0 || (one === last && email === clerks[0]?.email))) {
        let work = desks.get(email);
        if (!work) {
          second += between(60, 260);
          work = openSheet(email, one.daysAgo, second);
          desks.set(email, work);
        }
        second += between(20, 68);
        if (!hadLunch && second > 12 * 3_600) {
          second += between(1_800, 3_000);
          hadLunch = true;
        }
        enterLine(email, work, one.daysAgo, second);
        left -= 1;
        if (work.filled === work.sheet.signatureCount) {
          work.sheet.closedAt = localTime(today, one.daysAgo, second + 15);
          desks.delete(email);
        }
      }
    }
  }
  for (const { email, to } of campaign.clerks) {
    const left = desks.get(email);
    if (left && to > 1) left.sheet.closedAt = lines.findLast((line) => line.enteredBy === email)?.enteredAt ?? null;
  }
  return { lines, sheets };
}

// Work grows with the campaign, varies from day to day, and stops on Sundays.
function effortOfDays(count: number, today: string, random: () => number) {
  return Array.from({ length: count }, (_, index) => {
    const daysAgo = count - index;
    const weekday = new Date(`${day(today, daysAgo)}T00:00:00Z`).getUTCDay();
    const effort = (effortOfWeekday[weekday] ?? 0) * (0.6 + (0.8 * index) / count) * (0.75 + random() / 2);
    return { daysAgo, effort };
  });
}

// Returns each voter once, from one city as long as it has any.
function pickSigners(voters: Voter[], random: () => number) {
  const cities = Map.groupBy(shuffled(voters, random), ({ city }) => city);
  const signed: Voter[] = [];
  const someCity = () => {
    let place = random() * (voters.length - signed.length);
    for (const [city, left] of cities) {
      place -= left.length;
      if (place < 0) return city;
    }
    throw new Error("Everybody has signed.");
  };
  return {
    someCity,
    next(city: string) {
      const voter = (random() < 0.88 ? cities.get(city)?.pop() : undefined) ?? cities.get(someCity())?.pop();
      if (!voter) throw new Error("Everybody has signed.");
      signed.push(voter);
      return voter;
    },
    /** Someone who has signed already. */
    earlier: () => signed[Math.floor(random() * signed.length)],
    /** Someone in the voter file whose line doesn't count. */
    known: (number: number): Voter | undefined => voters[(number * 13) % voters.length],
    /** A name that few voters have. */
    stranger: (number: number): Partial<Voter> => ({
      firstName: voters[(number * 7) % voters.length]?.firstName,
      lastName: voters[(number * 13) % voters.length]?.lastName,
    }),
  };
}

function shuffled<T>(list: T[], random: () => number): T[] {
  const places = list.map((item) => ({ item, place: random() }));
  return places.sort((one, other) => one.place - other.place).map(({ item }) => item);
}

function uuid(random: () => number) {
  const hex = Array.from({ length: 8 }, () =>
    Math.floor(random() * 65_536)
      .toString(16)
      .padStart(4, "0"),
  ).join("");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
}

function day(today: string, daysAgo: number) {
  const date = new Date(`${today}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() - daysAgo);
  return date.toISOString().slice(0, 10);
}

function localTime(today: string, daysAgo: number, second: number) {
  return `${day(today, daysAgo)}T${new Date(second * 1_000).toISOString().slice(11, 19)}`;
}
