import { pageEvent } from "@/lib/page-event";

/** The user's permissions have changed: the page drops cached data. */
export const { report: reportAccessChanged, on: onAccessChanged } = pageEvent("signet:access-changed");

/** A request was refused for lack of a permission: the page checks its permissions. */
export const { report: reportRefusedRequest, on: onRefusedRequest } = pageEvent("signet:request-refused");
