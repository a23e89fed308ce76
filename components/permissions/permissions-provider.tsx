"use client";

import { createContext, type ReactNode, use } from "react";
import type { PermissionKey } from "@/lib/permissions/permission-keys";

const Keys = createContext<readonly string[]>([]);

/** Passes the keys of a place's snapshot to its components. They only hide things; the server decides. */
export function PermissionsProvider({ keys, children }: { keys: readonly string[]; children: ReactNode }) {
  return <Keys value={keys}>{children}</Keys>;
}

/** Whether the user has the key here, as far as this page knows. Only to show and hide things. */
export function usePermission(key: PermissionKey): boolean {
  return use(Keys).includes(key);
}

/** Shows its children to people with the key here. */
export function Can({ do: key, children }: { do: PermissionKey; children: ReactNode }) {
  return usePermission(key) ? children : null;
}
