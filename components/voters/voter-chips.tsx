import { X } from "lucide-react";
import { Button } from "@/components/ui/button";
import { filledFields, type VoterField, type VoterTexts, voterFields } from "@/lib/voters/voter-query";

/** What is searched for, a chip a field: how the box was understood, and what is kept. Each can be taken out. */
export function VoterChips({ texts, onLeaveOut }: { texts: VoterTexts; onLeaveOut: (field: VoterField) => void }) {
  return filledFields(texts).map((field) => (
    <Button
      key={field}
      variant="outline"
      aria-label={`Clear ${voterFields[field].toLowerCase()}: ${texts[field]}`}
      title={`${voterFields[field]}: ${texts[field]}`}
      className="h-7 max-w-60 gap-1.5 bg-primary-soft px-2 font-normal"
      onClick={() => onLeaveOut(field)}
    >
      <span className="truncate">
        <span className="text-muted-foreground">{voterFields[field]}:</span> {texts[field]}
      </span>
      <X aria-hidden className="size-3.5! text-muted-foreground" />
    </Button>
  ));
}
