import { Alert } from "@/components/ui/alert";
import { ButtonLink } from "@/components/ui/link";

/** Shown instead of the builder for a definition that it can't show and save completely. */
export function UnreadableChart({ name, problem, dashboard }: { name: string; problem: string; dashboard: string }) {
  return (
    <section aria-label={name} className="flex max-w-2xl flex-col items-start gap-4 px-4 py-4 md:px-6">
      <Alert>
        <p>“{name}” can't be edited. It was made outside Signet, and its definition has an error:</p>
        <p className="wrap-anywhere py-1 font-mono text-xs">{problem}</p>
        <p>Fix it where it was made, or delete the chart and build it again.</p>
      </Alert>
      <ButtonLink href={dashboard} variant="outline">
        Back to dashboard
      </ButtonLink>
    </section>
  );
}
