"use client";

import { Eye, EyeOff } from "lucide-react";
import { type ComponentProps, useState } from "react";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";

/** A password field with a button that shows the password. */
export function PasswordInput(props: Omit<ComponentProps<"input">, "type" | "className">) {
  const [isShown, setShown] = useState(false);
  return (
    <div className="relative">
      <Input
        {...props}
        type={isShown ? "text" : "password"}
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        className="pr-9 pointer-coarse:pr-12"
      />
      <Button
        variant="ghost"
        size="icon"
        aria-pressed={isShown}
        aria-label="Show password"
        title={isShown ? "Hide what you typed" : "Show password"}
        onClick={() => setShown(!isShown)}
        className="absolute inset-y-0 right-0 text-muted-foreground"
      >
        {isShown ? <EyeOff aria-hidden /> : <Eye aria-hidden />}
      </Button>
    </div>
  );
}
