/** One line about anything that was thrown. */
export function causeOf(error: unknown): string {
  try {
    const text = error instanceof Error ? `${error.name} "${error.message}"` : `"${String(error)}"`;
    return `threw ${text.slice(0, 500)}`;
  } catch {
    return 'threw a value that cannot be shown';
  }
}
