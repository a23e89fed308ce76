import { z } from "zod";
import { maxAges } from "@/lib/charts/max-age";

/** How old the charts of a dashboard may get, as a form or the database gives it. */
export const maxAgeSchema = z.literal(maxAges.map(([age]) => age));
