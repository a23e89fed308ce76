/**
 * Deadlines in ms after a caller began to wait: for the response (contract 8), and for storing a chart's data. The second
 * between them is for the commit and the response. The database has the first limit too.
 */
export const timeLimits = { response: 15_000, store: 14_000 };
