const ENTRIES = 1024;
const KEY_LENGTH = 1024;

/** Remembers answers to strings, at most 1,024 of them and only short keys, so that untrusted input cannot fill memory. */
export class BoundedMemo<T> {
  private readonly entries = new Map<string, T>();

  /** True when an answer to this string would be remembered. */
  static keeps(key: string): boolean {
    return key.length <= KEY_LENGTH;
  }

  /** Undefined: not known. */
  get(key: string): T | undefined {
    return this.entries.get(key);
  }

  set(key: string, value: T): T {
    if (!BoundedMemo.keeps(key)) return value;
    // Starting over is as good as evicting: the strings of one scenario are few or endless.
    if (this.entries.size >= ENTRIES) this.entries.clear();
    this.entries.set(key, value);
    return value;
  }
}
