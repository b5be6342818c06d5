import { thrownAt } from '../values/thrown-at.ts';

/** One line about anything that was thrown. */
export function causeOf(error: unknown): string {
  return `threw ${thrownText(error)}`;
}

/** The same line without its verb. */
export function thrownText(error: unknown): string {
  try {
    const text = error instanceof Error ? `${error.name} "${error.message}"` : `"${String(error)}"`;
    return text.slice(0, 500);
  } catch {
    return 'a value that cannot be shown';
  }
}

/** The same line with the place in code of the user that it comes from; `here` is made in the file that heard of it. */
export function thrownTextAt(error: unknown, here: Error): string {
  const place = thrownAt(error, here);
  return place === null ? thrownText(error) : `${thrownText(error)} at ${place}`;
}
