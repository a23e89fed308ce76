"use client";

import { Check, Copy } from "lucide-react";
import { useCopy } from "@/components/shell/use-copy";
import { Button } from "@/components/ui/button";

/** The link of an invitation, or lines with several, and the button that copies them. */
export function CopyLink({ link }: { link: string }) {
  const { copied, copy } = useCopy(link);
  const lines = link.split("\n").length;
  const what = lines > 1 ? "links" : "link";
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex gap-2 max-md:flex-col">
        <textarea
          readOnly
          aria-label={`Invitation ${what}`}
          rows={Math.min(lines, 6)}
          value={link}
          onFocus={(event) => event.currentTarget.select()}
          className="w-full min-w-0 resize-none overflow-x-auto whitespace-pre rounded-md border border-input bg-background px-2.5 py-1 text-base focus-visible:border-ring focus-visible:outline-offset-0 pointer-coarse:py-2.5 pointer-coarse:text-lg"
        />
        <Button variant="outline" onClick={copy} data-first>
          {copied ? <Check aria-hidden /> : <Copy aria-hidden />}
          Copy {what}
        </Button>
      </div>
      <p role="status" className="text-muted-foreground empty:hidden text-sm">
        {copied === true && "Copied."}
        {copied === false && `Couldn't copy the ${what}. Select and copy ${lines > 1 ? "them" : "it"} yourself.`}
      </p>
    </div>
  );
}
