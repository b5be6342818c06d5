/** What an error says, or its name where it says nothing; anything else that was thrown, as text. Never throws, whatever it is given. */
export function messageOf(error: unknown): string {
  try {
    return error instanceof Error ? String(error.message) || String(error.name) : String(error);
  } catch {
    return 'a value that cannot be shown';
  }
}
