import type { ReactNode } from "react";
import { Refusal } from "@/components/permissions/refusal";
import { PermissionRefused } from "@/lib/permissions/messages";

/**
 * A page that shows the refusal in its place when its guard throws PermissionRefused. Whatever else it throws, redirects
 * too, passes through.
 */
export function refusable<Props>(page: (props: Props) => Promise<ReactNode>) {
  return async function RefusablePage(props: Props): Promise<ReactNode> {
    try {
      return await page(props);
    } catch (error) {
      if (error instanceof PermissionRefused) return <Refusal refused={error} />;
      throw error;
    }
  };
}
