"use client";

import { useMemo } from "react";
import { useScreenKeys } from "@/components/shell/screen-keys";

/** Lets `/` go to the field with this id. */
export function FindKey({ fieldId }: { fieldId: string }) {
  useScreenKeys(
    useMemo(() => [{ key: "/", does: "Find a name", run: () => document.getElementById(fieldId)?.focus() }], [fieldId]),
  );
  return null;
}
