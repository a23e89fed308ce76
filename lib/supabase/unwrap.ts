import { AppError } from "@/lib/errors";
import type { Database, Json } from "@/supabase/functions/_shared/database";

type Result = { data: unknown; error: Error | null };
type DataOf<Given extends Result> = Extract<Given, { error: null }>["data"];

/**
 * The data of a Supabase result. supabase-js returns errors: a failed read throws here and is never "no rows". A `select` of
 * something the database doesn't have doesn't compile here.
 */
export function unwrap<Given extends Result>(result: Given & NoMisnomer<DataOf<Given>>): DataOf<Given>;
export function unwrap({ data, error }: Result): unknown {
  if (error === null) return data;
  throw new AppError("unavailable", "Couldn't load the data. Try again in a moment.", { cause: error });
}

type NoMisnomer<Data> = [Misnomer<Data>] extends [never] ? unknown : { data: Misnomer<Data> };

// For a wrong name, supabase-js has such a type in place of the row or value.
type Misnomer<Data> = [Json] extends [Data]
  ? never
  : Data extends { error: true }
    ? Data
    : Data extends readonly (infer Item)[]
      ? Misnomer<Item>
      : Data extends object
        ? { [Name in keyof Data]: Misnomer<Data[Name]> }[keyof Data]
        : never;

type Tables = Database["public"]["Tables"];

/** The columns of a table. supabase-js checks names in `select` and `eq`, but not in `order`, `is` and `in`. */
export type Column<Table extends keyof Tables> = keyof Tables[Table]["Row"];
