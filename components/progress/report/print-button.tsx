"use client";

import { Printer } from "lucide-react";
import { Button } from "@/components/ui/button";

/** Prints the page. */
export function PrintButton() {
  return (
    <Button variant="ghost" onClick={() => window.print()}>
      <Printer aria-hidden /> Print
    </Button>
  );
}
