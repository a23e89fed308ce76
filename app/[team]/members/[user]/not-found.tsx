import { PageBar } from "@/components/shell/page-bar";
import { buttonVariants } from "@/components/ui/button";

/** Shown when the person isn't a member, including right after removal. */
export default function MemberNotFoundPage() {
  return (
    <>
      <PageBar place="Members" />
      <div className="flex max-w-2xl flex-col items-start gap-4 px-4 py-8 md:px-6 md:py-12">
        <h1 className="font-semibold text-xl">Not a member</h1>
        <p role="status" className="leading-6">
          This person isn't on the team. If they were removed, Activity shows who removed them. Signatures they entered
          are kept.
        </p>
        <a href="../members" className={buttonVariants()}>
          All members
        </a>
      </div>
    </>
  );
}
