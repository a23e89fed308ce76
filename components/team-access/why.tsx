import type { ComponentProps, ReactNode } from "react";
import { PermissionQuestion } from "@/components/team-access/permission-question";

/** Asks why somebody may do something somewhere; the answer comes with the next page, as `children`. */
export function Why({
  children,
  ...question
}: Pick<ComponentProps<typeof PermissionQuestion>, "path" | "teamName" | "campaigns" | "asked"> & {
  children: ReactNode;
}) {
  return (
    <section aria-labelledby="why" className="flex flex-col gap-3">
      <h2 id="why" className="font-semibold">
        Why?
      </h2>
      <PermissionQuestion name="why" submit="Explain" {...question} />
      <div aria-live="polite">{children}</div>
    </section>
  );
}
