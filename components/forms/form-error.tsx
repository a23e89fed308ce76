import { Alert } from "@/components/ui/alert";

/** The error of the last submit, or what it asks, announced to screen readers; hidden while a submit is pending. */
export function FormError({
  error,
  asks = false,
  pending = false,
}: {
  error: string | null;
  asks?: boolean;
  pending?: boolean;
}) {
  return (
    <div role="alert" className="empty:hidden">
      {error !== null && !pending && <Alert asks={asks}>{error}</Alert>}
    </div>
  );
}
