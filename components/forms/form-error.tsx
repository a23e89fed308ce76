import { Alert } from "@/components/ui/alert";

/** The error of the last submit, announced to screen readers; hidden while a submit is pending. */
export function FormError({ error, pending = false }: { error: string | null; pending?: boolean }) {
  return (
    <div role="alert" className="empty:hidden">
      {error !== null && !pending && <Alert>{error}</Alert>}
    </div>
  );
}
