/** The answers of a transaction; rejects with the first that is an error. */
export async function answersOf(
  asked: Promise<readonly (readonly [Error | null, unknown])[] | null>,
): Promise<unknown[]> {
  return ((await asked) ?? []).map(([error, answer]) => {
    if (error !== null) throw error;
    return answer;
  });
}

/** A hash of texts, whatever the client's types say of it. */
export function textsOf(value: unknown): Readonly<Record<string, string>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, string>) : {};
}
