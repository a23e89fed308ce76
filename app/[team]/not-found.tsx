import { PageNotFound } from "@/components/shell/navigation/page-not-found";

/** A page of a team that wasn't found. */
export default function TeamNotFoundPage() {
  return <PageNotFound />;
}
