import { z } from "zod";

/** What names a number of a chart. The database asks the same of it. */
export const metricKeySchema = z
  .string()
  .regex(/^[a-z][a-zA-Z0-9_]{0,39}$/, "must begin with a small letter and have letters, digits and _ alone");
