import Link from "next/link";
import { Alert } from "@/components/ui/alert";
import { buttonVariants } from "@/components/ui/button";

/** In place of the builder, for a definition of which it would show, and save, only a part. */
export function UnreadableChart({ name, problem, dashboard }: { name: string; problem: string; dashboard: string }) {
  return (
    <section aria-label={name} className="flex max-w-2xl flex-col items-start gap-4 px-4 py-4 md:px-6">
      <Alert>
        <p>“{name}” cannot be changed here, because its definition was written elsewhere and cannot be read:</p>
        <p className="wrap-anywhere py-1 font-mono text-xs">{problem}</p>
        <p>Correct it where it was written, or delete the chart on the dashboard and build it anew.</p>
      </Alert>
      <Link href={dashboard} prefetch={false} className={buttonVariants({ variant: "outline" })}>
        Back to the dashboard
      </Link>
    </section>
  );
}
