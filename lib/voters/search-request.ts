import { z } from "zod";
import { storableText } from "@/lib/storable";
import { hitFields } from "@/lib/voters/read-hit";
import { maxHits, maxTextLength } from "@/lib/voters/voter-query";

const text = storableText.max(maxTextLength, `must be at most ${maxTextLength} characters`).optional();

// An empty text means no order.
const orders = ["", ...hitFields, ...hitFields.map((field) => `-${field}` as const)] as const;

/**
 * The parameters of a search (contract 2.3) with their limits. Others are dropped. The last four only go to a backend that
 * accepts them (`searchExtras`).
 */
export const searchParamsSchema = z
  .object({
    firstName: text,
    lastName: text,
    houseNumber: text,
    zip: text,
    county: text,
    city: text,
    order: z.enum(orders, `must be one of ${hitFields.join(", ")}, with a leading - for descending`).optional(),
    /** Offset of the first hit. */
    queryFrom: z.int("must be a whole number").min(0, "must be 0 or more").default(0),
    /** Number of hits requested. */
    querySize: z.int("must be a whole number").min(1, "must be 1 or more").max(100, "must be 100 or less").default(25),
    street: text,
    voterId: text,
    birthYear: text,
    /** Asks for near matches. */
    similar: z.boolean("must be true or false").optional(),
  })
  .refine(({ queryFrom, querySize }) => queryFrom + querySize <= maxHits, {
    path: ["queryFrom"],
    error: "and querySize together reach past the first 10,000 hits. Narrow the search",
  });
export type SearchParams = z.infer<typeof searchParamsSchema>;

// One message for every other name, so that it reveals nothing about other cookies.
const cookieName = z.string().regex(/^searchsvc_token_[a-z0-9_]{1,40}$/, "must look like searchsvc_token_ny");

/** Names of where the credentials of a search are found (contract 2.3): only names, never values. */
export const searchCredentialsSchema = z.object({
  name: cookieName,
  emailKey: z.string(),
  endpointKey: z.string(),
  passwordKey: z.string(),
});
export type SearchCredentials = z.infer<typeof searchCredentialsSchema>;
