import { PageNotFound } from "@/components/shell/navigation/page-not-found";

/** What is not there inside of a team: the shell stays. */
export default function TeamNotFoundPage() {
  return <PageNotFound />;
}
