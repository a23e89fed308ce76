import { PageNotFound } from "@/components/shell/page-not-found";

/** What is not there inside of a team: the shell stays. */
export default function TeamNotFoundPage() {
  return <PageNotFound />;
}
