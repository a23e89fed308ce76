import { PageBar } from "@/components/shell/page-bar";

/** The address of somebody who is not in the team, or not any more. */
export default function MemberNotFoundPage() {
  return (
    <>
      <PageBar />
      <div className="flex max-w-2xl flex-col gap-4 px-4 py-8 md:px-6 md:py-12">
        <h1 className="font-semibold text-xl">There is no such member</h1>
        <p className="leading-6">
          Nobody in this team has this address. A removed member has none any more: the list of members shows who is
          there now.
        </p>
      </div>
    </>
  );
}
