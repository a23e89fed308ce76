import type { ComponentProps } from "react";
import { cn } from "@/lib/utils";

/** The browser's own select, which works best on phones. 16 px on touch, or iOS zooms in. */
export function Select({ className, ...props }: ComponentProps<"select">) {
  return (
    <select
      data-slot="select"
      className={cn(
        "h-8 w-full min-w-0 rounded-md border border-input bg-background px-1.5 text-base focus-visible:border-ring focus-visible:outline-offset-0 disabled:bg-muted disabled:text-muted-foreground aria-invalid:border-destructive pointer-coarse:h-11 pointer-coarse:text-lg",
        className,
      )}
      {...props}
    />
  );
}

export type Options<Value> = readonly (readonly [value: Value, label: string])[];

type ChoiceProps<Value> = Omit<ComponentProps<typeof Select>, "value"> & {
  value: Value;
  options: Options<NoInfer<Value>>;
  onChoose: (value: NoInfer<Value>) => void;
};

/** One of several options: texts, or anything with different JSON. */
export function Choice<Value>({ value, options, onChoose, ...props }: ChoiceProps<Value>) {
  const textOf = (option: Value) => (typeof option === "string" ? option : String(JSON.stringify(option)));
  const choose = (text: string) => {
    const chosen = options.find(([option]) => textOf(option) === text);
    if (chosen) onChoose(chosen[0]);
  };
  return (
    <Select {...props} value={textOf(value)} onChange={(event) => choose(event.target.value)}>
      {options.map(([option, label]) => (
        <option key={textOf(option)} value={textOf(option)}>
          {label}
        </option>
      ))}
    </Select>
  );
}
