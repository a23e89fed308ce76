import { Button } from "@/components/ui/button";
import { filledFields, type VoterField, type VoterTexts, voterFields } from "@/lib/voters/voter-query";

const hints: Record<VoterField, string> = {
  lastName: "Type fewer letters of the last name: it is found by its beginning.",
  firstName: "Type only the first letter of the first name, or leave it out.",
  houseNumber: "Check the house number: it has to be the whole number, without the street.",
  street: "Leave the street out, or type only its beginning.",
  zip: "Type only the first digits of the zip.",
  city: "Leave the city out: the voter file may have the name of the post office.",
  county: "Leave the county out.",
  voterId: "Check the voter id: it has to be the whole id, as the voter file writes it.",
};

/** Nobody matches: what to try, and each field at hand to leave it out. */
export function NoVoter({ texts, onLeaveOut }: { texts: VoterTexts; onLeaveOut: (field: VoterField) => void }) {
  const filled = filledFields(texts);
  return (
    <div className="flex max-w-2xl flex-col gap-3 p-4">
      <h2 className="font-semibold text-lg">No voter matches</h2>
      <ul className="flex list-disc flex-col gap-1 pl-5 text-muted-foreground">
        {filled.map((field) => (
          <li key={field}>{hints[field]}</li>
        ))}
      </ul>
      {filled.length > 1 && (
        <div className="flex flex-wrap gap-2">
          {filled.map((field) => (
            <Button
              key={field}
              variant="outline"
              className="max-w-full shrink font-normal"
              onClick={() => onLeaveOut(field)}
            >
              <span className="truncate">
                Without {voterFields[field].toLowerCase()} “{texts[field].trim()}”
              </span>
            </Button>
          ))}
        </div>
      )}
    </div>
  );
}
