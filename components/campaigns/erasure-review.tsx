import { useFormat } from "@/components/shell/format-provider";
import { Button } from "@/components/ui/button";
import { Dialog, DialogBody, DialogFooter } from "@/components/ui/dialog";
import type { plannedErasures } from "@/lib/campaigns/planned-erasures";

const maxListed = 20;

/** Asks before a period is saved after which personal data are erased: of which campaigns, and when. */
export function ErasureReview({
  erasures,
  onConfirm,
  onClose,
}: {
  erasures: ReturnType<typeof plannedErasures>;
  onConfirm: () => void;
  onClose: () => void;
}) {
  const { day, count } = useFormat();
  return (
    <Dialog title={`Schedule erasing the personal data of ${count(erasures.length, "campaign")}?`} onClose={onClose}>
      <DialogBody>
        <p>
          Names, addresses, notes and voter IDs of all lines are erased for good on the days below. Counts are kept. To
          keep the rest, export the signatures or restore the campaign before its day. Administrators get a warning 14
          days before.
        </p>
        <ul className="divide-y rounded-md border">
          {erasures.slice(0, maxListed).map(({ name, at }) => (
            <li key={`${name} ${at}`} className="flex flex-wrap justify-between gap-x-4 px-4 py-2">
              <span className="wrap-anywhere min-w-0 font-medium">{name}</span>
              <span>{day(at)}</span>
            </li>
          ))}
        </ul>
        {erasures.length > maxListed && <p>and {erasures.length - maxListed} more</p>}
      </DialogBody>
      <DialogFooter>
        <Button variant="outline" onClick={onClose} data-first>
          Cancel
        </Button>
        <Button variant="danger" onClick={onConfirm}>
          Schedule erasure
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
