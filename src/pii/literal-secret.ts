import { findSecrets, findUrlCredentials, isPlaceholder, isSecretKey } from './find-secret.ts';

/** A shorter value under the name of a secret is one for tests. */
const SHORTEST = 8;

/** True: a file holds a secret as it stands. `key`: what the text stands under, such as the name of a header. */
export function isLiteralSecret(key: string, text: string): boolean {
  const isNamed = isSecretKey(key) && text.length >= SHORTEST && !isPlaceholder(text) && !/[${]/.test(text);
  return isNamed || !findSecrets(text).next().done || !findUrlCredentials(text).next().done;
}
