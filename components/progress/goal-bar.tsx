/**
 * How much of a goal is reached, as a bar; it only shows what a text beside it says. With `even`, a share of one, also a
 * mark where it would be today had each day brought as much.
 */
export function GoalBar({ share, even = null }: { share: number; even?: number | null }) {
  return (
    <div aria-hidden className="relative h-2 rounded-md bg-muted">
      <div
        className={share >= 1 ? "h-full rounded-md bg-success-mark" : "h-full rounded-md bg-primary"}
        style={{ width: `${Math.min(1, share) * 100}%` }}
      />
      {even !== null && even < 1 && (
        <span className="absolute -inset-y-1 w-0.5 rounded-md bg-foreground" style={{ left: `${even * 100}%` }} />
      )}
    </div>
  );
}
