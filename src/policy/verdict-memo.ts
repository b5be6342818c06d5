const ENTRIES = 1024;
const KEY_LENGTH = 1024;

/** Remembers answers to strings, at most 1,024 of them and only short keys, so that untrusted input cannot fill memory. */
export class VerdictMemo<T> {
  private readonly entries = new Map<string, T>();

  /** Undefined: not known. */
  get(key: string): T | undefined {
    return this.entries.get(key);
  }

  set(key: string, value: T): T {
    if (key.length > KEY_LENGTH) return value;
    // Starting over is as good as evicting: the strings of one scenario are few or endless.
    if (this.entries.size >= ENTRIES) this.entries.clear();
    this.entries.set(key, value);
    return value;
  }
}
