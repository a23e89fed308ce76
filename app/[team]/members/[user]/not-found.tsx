import { PageBar } from "@/components/shell/page-bar";
import { buttonVariants } from "@/components/ui/button";

/** The address of somebody who is not in the team: also where one is left when she was removed on her page. */
export default function MemberNotFoundPage() {
  return (
    <>
      <PageBar />
      <div className="flex max-w-2xl flex-col items-start gap-4 px-4 py-8 md:px-6 md:py-12">
        <h1 className="font-semibold text-xl">Not a member of this team</h1>
        <p role="status" className="leading-6">
          Nobody with this address is in the team now. Who was removed is gone from the list; what they entered stays,
          and the activity says who removed them.
        </p>
        <a href="../members" className={buttonVariants()}>
          All members
        </a>
      </div>
    </>
  );
}
