/**
 * In ms since a caller began to wait: when it gets a response at the latest (contract 8), and until when a chart's data can
 * be stored. The second in between is for the commit and the way back. The database has `answer` too.
 */
export const timeLimits = { answer: 15_000, store: 14_000 };
