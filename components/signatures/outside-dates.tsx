import Link from "next/link";
import { registerPath, registerQuery } from "@/components/signatures/register/register-query";
import type { Format } from "@/lib/format/format-of";
import type { CampaignOfTeam } from "@/lib/ids";
import type { LinesOutsideDates } from "@/lib/signatures/list-lines-outside-dates";
import { placeText } from "@/lib/signatures/place-text";

/** Accepted lines that were signed outside the campaign's days, which changed after they were keyed: where they stand. */
export function OutsideDates({
  place,
  format,
  outside: { count, lines },
}: {
  place: CampaignOfTeam;
  format: Format;
  outside: LinesOutsideDates;
}) {
  return (
    <section aria-labelledby="outside-dates" className="flex flex-col gap-2">
      <h2 id="outside-dates" className="font-semibold">
        Signed outside the campaign’s days
      </h2>
      <p>
        {format.count(count, "accepted line counts", "accepted lines count")} all the same: the days were changed after{" "}
        {count === 1 ? "it was" : "they were"} keyed. Correct the days, or remove{" "}
        {count === 1 ? "the line" : "the lines"}.
      </p>
      <ul className="divide-y rounded-md border">
        {lines.map((line) => (
          <li key={line.id} className="flex min-h-9 flex-wrap items-center justify-between gap-x-4 px-4 py-1.5">
            <Link
              href={registerPath(place) + registerQuery({ line: line.id })}
              prefetch={false}
              className="text-primary underline-offset-4 hover:underline"
            >
              {placeText(line)}
            </Link>
            <span className="text-muted-foreground text-sm">signed {format.day(line.signedOn)}</span>
          </li>
        ))}
        {count > lines.length && (
          <li className="flex min-h-9 items-center px-4 py-1.5 text-muted-foreground">
            and {format.number(count - lines.length)} more
          </li>
        )}
      </ul>
    </section>
  );
}
