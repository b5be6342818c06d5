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
