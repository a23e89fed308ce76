/**
 * In ms from when a caller began to wait: when a chart is answered at the latest (contract 8), and until when its data may
 * be stored. The second in between is for the commit and the answer's way. The database has `answer` too.
 */
export const timeLimits = { answer: 15_000, store: 14_000 };
