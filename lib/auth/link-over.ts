/** How an error about an email link ends if the link works no longer. */
export const getNewLink = "Get a new one.";

/** Whether an error says that an email link works no longer. */
export const isLinkOver = (error: string | null) => error?.endsWith(getNewLink) === true;
