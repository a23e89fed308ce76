import { Alert } from "@/components/ui/alert";

/** What went wrong with what was sent last, for screen readers too; nothing while something is sent. */
export function FormError({ error, pending = false }: { error: string | null; pending?: boolean }) {
  return (
    <div role="alert" className="empty:hidden">
      {error !== null && !pending && <Alert>{error}</Alert>}
    </div>
  );
}
