import { useQuery } from "@/components/shell/use-query";
import { type Found, fetchVoters, isNoOne, type VoterSource } from "@/components/voters/use-voter-search";
import type { Reading } from "@/lib/voters/read-names";
import { emptyFields } from "@/lib/voters/voter-query";
import { firstPage } from "@/lib/voters/voter-text";

const maxPlaces = 3; // each is a search
const minPlaceLength = 4; // nearly every short name is near to fewer characters
const places = ["city", "street"] as const;
const none: readonly Reading[] = [];

/** The readings whose city or street may be misspelled, with each one that the backend finds to be spelled similarly. */
export async function withSimilarPlaces(
  source: VoterSource,
  readings: readonly Reading[],
  signal: AbortSignal,
): Promise<Reading[]> {
  if (!source.extraParams.includes("similar")) return [];
  const textOf = ({ fields }: Reading) => places.map((place) => fields[place]?.toLowerCase() ?? "").join("|");
  const isLong = (text = "") => text.trim().length >= minPlaceLength;
  const long = readings.filter(({ fields }) => places.some((place) => isLong(fields[place])));
  const asked = [...Map.groupBy(long, textOf).values()].slice(0, maxPlaces).map(async (alike) => {
    const { city = "", street = "" } = alike[0]?.fields ?? {};
    const query = { ...firstPage({ ...emptyFields, city, street }), similar: true } as const;
    const response = await fetchVoters(source, query, { signal });
    return places.flatMap((place) =>
      ("body" in response ? response.body.voters : [])
        .filter(({ match }) => match === `similar ${place}`)
        .flatMap((voter) => alike.map((one) => ({ ...one, fields: { ...one.fields, [place]: voter[place] } }))),
    );
  });
  return (await Promise.all(asked)).flat();
}

/** The readings of a search that found no one, with similar places. Nothing is asked while `moved`. */
export function useSimilarPlaces(
  source: VoterSource,
  found: Found | null,
  readings: readonly Reading[],
  moved: boolean,
): readonly Reading[] {
  const isWanted = found !== null && isNoOne(found);
  const { data } = useQuery({
    queryKey: ["similar places", found?.id],
    queryFn: ({ signal }) => withSimilarPlaces(source, readings, signal),
    enabled: isWanted,
    subscribed: !moved,
    staleTime: "static",
  });
  return (isWanted && !moved && data) || none;
}
