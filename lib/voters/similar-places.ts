import type { Voter } from "@/lib/voters/read-hit";
import type { Reading } from "@/lib/voters/read-names";

const maxPlaces = 3; // each is a search
const minPlaceLength = 4; // nearly every short name is near to fewer characters

const places = ["city", "street"] as const;

/** The readings with a city or street that may be misspelled, the likeliest of each. */
export function placeReadings(readings: readonly Reading[]): Reading[] {
  const textOf = ({ fields }: Reading) =>
    places.map((place) => (fields[place] ?? "").trim()).filter((text) => text.length >= minPlaceLength);
  const withPlaces = readings.filter((reading) => textOf(reading).length > 0);
  return [...new Map(withPlaces.toReversed().map((one) => [textOf(one).join("|").toLowerCase(), one])).values()]
    .toReversed()
    .slice(0, maxPlaces);
}

/** The reading with each city or street that the backend found to be spelled similarly. */
export function withSimilarPlaces(reading: Reading, voters: readonly Voter[]): Reading[] {
  return voters.flatMap((voter) =>
    places
      .filter((place) => voter.match === `similar ${place}` && voter[place] !== undefined)
      .map((place) => ({ ...reading, fields: { ...reading.fields, [place]: voter[place] } })),
  );
}
