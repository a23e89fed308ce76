"use client";

import { createContext, type ReactNode, use } from "react";
import type { PermissionKey } from "@/lib/permissions/permission-keys";

const Keys = createContext<readonly string[]>([]);

/** Hands the keys of a place's snapshot to the components in it. They hide things by them; the server decides. */
export function PermissionsProvider({ keys, children }: { keys: readonly string[]; children: ReactNode }) {
  return <Keys value={keys}>{children}</Keys>;
}

/** True when the user holds the key here, as far as this page knows. For showing and hiding alone. */
export function usePermission(key: PermissionKey): boolean {
  return use(Keys).includes(key);
}

/** Shows its children to those who hold the key here. */
export function Can({ do: key, children }: { do: PermissionKey; children: ReactNode }) {
  return usePermission(key) ? children : null;
}
