import { Alert } from "@/components/ui/alert";

/** Says which parts of the URL were ignored. */
export function IgnoredFilters({ ignored }: { ignored: string[] }) {
  return (
    ignored.length > 0 && (
      <Alert className="mx-4 mt-3 max-w-2xl md:mx-6">
        We ignored parts of this link that don't work: {ignored.join(", ")}.
      </Alert>
    )
  );
}
