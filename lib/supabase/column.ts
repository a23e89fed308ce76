import type { Database } from "@/supabase/functions/_shared/database";

type Tables = Database["public"]["Tables"];

/** The columns of a table. supabase-js checks names in `select` and `eq`, and any text passes in `order`, `is` and `in`. */
export type Column<Table extends keyof Tables> = keyof Tables[Table]["Row"];
