/** Whether a status of Auth, or none at all, says nothing of the token or session that it was asked about. */
export const isOverloaded = (status: number | undefined) => !status || status === 429 || status >= 500;
