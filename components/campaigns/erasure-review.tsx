import { useFormat } from "@/components/shell/format-provider";
import { Button } from "@/components/ui/button";
import { Dialog, DialogBody, DialogFooter } from "@/components/ui/dialog";
import type { plannedErasures } from "@/lib/campaigns/planned-erasures";

const maxListed = 20;

/** Asks before an erasure period is saved, and lists the campaigns whose personal data it would erase, and when. */
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
    <Dialog title={`Schedule erasure for ${count(erasures.length, "campaign")}?`} onClose={onClose}>
      <DialogBody>
        <p>
          Names, addresses, notes, and voter IDs of all lines will be erased permanently on the days below. Counts are
          kept. Administrators get a warning 14 days before. To keep the data, export the signatures or restore the
          campaign before then.
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
