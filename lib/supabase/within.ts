/**
 * The promise's value, or a rejection after so many ms. Auth's client tries a refresh again and again for half a minute
 * while Auth is away, and knows no signal; what it still does then is of no use to anyone.
 */
export async function within<Value>(milliseconds: number, promise: Promise<Value>): Promise<Value> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`No answer within ${milliseconds} ms.`)), milliseconds);
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
