"use client";

import { Check, Copy } from "lucide-react";
import { useCopy } from "@/components/shell/use-copy";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";

/** The link of an invitation, and the button that copies it. */
export function CopyLink({ link }: { link: string }) {
  const { copied, copy } = useCopy(link);
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex gap-2 max-md:flex-col">
        <Input readOnly aria-label="Invitation link" value={link} onFocus={(event) => event.currentTarget.select()} />
        <Button variant="outline" onClick={copy} data-first>
          {copied ? <Check aria-hidden /> : <Copy aria-hidden />}
          Copy link
        </Button>
      </div>
      <p role="status" className="text-muted-foreground empty:hidden text-sm">
        {copied === true && "Copied."}
        {copied === false && "Couldn't copy the link. Select it and copy it yourself."}
      </p>
    </div>
  );
}
