/**
 * In milliseconds from when a caller began to wait: when a chart is answered at last (contract 8), and until when its data
 * may be stored. The second between them is for the commit and the answer's way. The database has `answer` too.
 */
export const timeLimits = { answer: 15_000, store: 14_000 };
