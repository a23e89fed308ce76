import { LoaderCircle } from "lucide-react";
import { useFormat } from "@/components/shell/format-provider";
import { useOnline } from "@/components/shell/use-online";
import { useSeconds } from "@/components/shell/use-seconds";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import type { Failure } from "@/lib/http/call-api";
import { cn } from "@/lib/utils";
import { filledFields, type SearchFields, type VoterField } from "@/lib/voters/voter-query";
import { fieldWords } from "@/lib/voters/voter-text";

/** Shown while a search is running: it appears after 300 ms, and counts seconds after the first, when it is announced. */
export function SearchProgress() {
  const seconds = useSeconds(0, 1);
  return (
    <span className="appear-late flex items-center gap-1.5 whitespace-nowrap text-muted-foreground text-sm">
      <LoaderCircle aria-hidden className="size-3.5 motion-safe:animate-spin" />
      <span aria-hidden>{seconds === 0 ? "Searching…" : `Searching… ${seconds} s`}</span>
      <span role="status" className="sr-only">
        {seconds > 0 && "Searching…"}
      </span>
    </span>
  );
}

/** Says above the voters that a search that failed, or takes longer than a second, hasn't replaced them yet. */
export function LastSearchNote({ isFailed, isSame }: { isFailed: boolean; isSame: boolean }) {
  const seconds = useSeconds(0, 1);
  return (
    (isFailed || seconds > 0) && (
      <p className="px-4 pb-2 text-muted-foreground text-sm">
        The voters below are from {isSame ? "an earlier search for the same" : "your last search"}.
      </p>
    )
  );
}

type ShownFailure = Pick<Failure, "error" | "retryAfterSeconds">;

/** The error, and online a button to try again once the limit allows it. */
export function SearchFailed({ failure, onRetry }: { failure: ShownFailure; onRetry: () => void }) {
  const remainingSeconds = useSeconds(failure.retryAfterSeconds ?? 0, -1);
  const online = useOnline(); // otherwise the page says so, and the search is repeated
  return (
    <div className="flex max-w-2xl flex-col items-start gap-3 p-4">
      <Alert>{failure.error}</Alert>
      {online && (
        <Button
          variant="outline"
          aria-disabled={remainingSeconds > 0}
          onClick={() => remainingSeconds > 0 || onRetry()}
        >
          {remainingSeconds > 0 ? `Try again in ${remainingSeconds} s` : "Try again"}
        </Button>
      )}
    </div>
  );
}

const hints: Record<VoterField, string> = {
  lastName: "Check the spelling of the last name, or type only its first letters.",
  firstName: "Check the spelling of the first name, or type only its first letter.",
  houseNumber: "Enter the complete house number, without the street.",
  street: "Check the spelling of the street, or type only its beginning.",
  zip: "Check the ZIP code, or type only its first digits.",
  city: "Check the spelling of the city. The voter file may use the post office's name.",
  county: "Check the spelling of the county.",
  birthYear: "Check the birth year, or search without it.",
  voterId: "Enter the complete voter ID, as in the voter file.",
};
// One letter can't be shortened.
const hintOf = (field: VoterField, text: string) =>
  /^\p{L}$/u.test(text.trim()) ? "Check the letter, or search by house number or ZIP code." : hints[field];

/** Shown when no one matches: for each field a button that searches without it, and hints. */
export function NoVoter({
  fields,
  tried = [],
  onLeaveOut,
}: {
  fields: SearchFields;
  /** The fields in which one word was looked for. */
  tried?: VoterField[];
  onLeaveOut: (field: VoterField) => void;
}) {
  const { list } = useFormat();
  const filled = filledFields(fields);
  return (
    <div className="flex max-w-2xl flex-col gap-3 p-4">
      <h2 className="font-semibold text-lg">No voters match</h2>
      <div className="flex flex-wrap gap-2">
        {filled.map((field) => (
          <Button
            key={field}
            variant="outline"
            className="max-w-full shrink font-normal"
            onClick={() => onLeaveOut(field)}
          >
            <span className="truncate">
              {filled.length > 1 ? "Search without" : "Clear"} {fieldWords(field)} “{fields[field].trim()}”
            </span>
          </Button>
        ))}
      </div>
      <ul className="flex list-disc flex-col gap-1 pl-5 text-muted-foreground">
        {tried.length > 1 && <li>Searched as {list(tried.map((field) => fieldWords(field)))}.</li>}
        {[...new Set(filled.map((field) => hintOf(field, fields[field])))].map((hint) => (
          <li key={hint}>{hint}</li>
        ))}
      </ul>
    </div>
  );
}

/** Says what can be searched: at the start, or after a text of nothing that can be. */
export function FirstStep({ unsearchable }: { unsearchable: string | null }) {
  if (unsearchable !== null) {
    return (
      <p role="status" className="p-4">
        {/\d\/\d/.test(unsearchable)
          ? "Birth dates can't be searched."
          : /[\p{L}\p{N}]/u.test(unsearchable)
            ? "Units can't be searched alone."
            : "Nothing to search."}{" "}
        Enter a name, house number, or ZIP code.
      </p>
    );
  }
  return (
    <div className="flex max-w-2xl flex-col gap-2 p-4 leading-6">
      <h2 className="font-semibold text-lg">Find a voter</h2>
      <p className="text-muted-foreground">
        Three letters of the last name are often enough. Add a first name, house number, or ZIP code to narrow it down.
        Enter “first last” or “last, first”.
      </p>
    </div>
  );
}

export function Skeleton() {
  return (
    <div aria-hidden className="appear-late">
      {["w-2/5", "w-1/2", "w-1/3", "w-2/5", "w-1/2", "w-1/3"].map((width, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they never change
        <div key={index} className="flex h-14 @3xl:h-9 items-center border-b px-4">
          <div className={cn("h-3 rounded-md bg-muted", width)} />
        </div>
      ))}
    </div>
  );
}
