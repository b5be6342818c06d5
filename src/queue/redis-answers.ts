/**
 * True for an error that comes from what Redis holds, such as a key of another type, and not from the connection, its state
 * or rights. It concerns one run only.
 */
export function isOfContent(error: unknown): error is Error {
  if (!(error instanceof Error) || error.name !== 'ReplyError') return false;
  return !/^(?:LOADING|READONLY|MASTERDOWN|TRYAGAIN|CLUSTERDOWN|NOAUTH|WRONGPASS|NOPERM)\b/.test(error.message);
}

/** The answers of a transaction; rejects with the first that is an error. */
export async function answersOf(
  transaction: Promise<readonly (readonly [Error | null, unknown])[] | null>,
): Promise<unknown[]> {
  return ((await transaction) ?? []).map(([error, answer]) => {
    if (error !== null) throw error;
    return answer;
  });
}

/** A hash of texts; the client's types promise less. */
export function textsOf(value: unknown): Readonly<Record<string, string>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, string>) : {};
}
