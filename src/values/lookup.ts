/** Finds a value by its key. */
export interface Lookup<K, V> {
  get(key: K): V | undefined;
}

/** Up to here looking at one key after the other is faster than hashing, and takes a fraction of the room. */
const FEW = 16;

/** The value at the position of its key; of equal keys the last one counts, as in a `Map`. */
export function lookup<K, V>(keys: readonly K[], values: readonly V[]): Lookup<K, V> {
  if (keys.length <= FEW) return new Row(keys, values);
  return new Map(keys.map((key, at) => [key, values[at] as V]));
}

class Row<K, V> implements Lookup<K, V> {
  private readonly keys: readonly K[];
  private readonly values: readonly V[];

  constructor(keys: readonly K[], values: readonly V[]) {
    this.keys = keys;
    this.values = values;
  }

  get(key: K): V | undefined {
    const at = this.keys.lastIndexOf(key);
    return at < 0 ? undefined : this.values[at];
  }
}

/** The position of each key; of equal keys that of the last. */
export function positions<K>(keys: readonly K[]): Lookup<K, number> {
  if (keys.length <= FEW) return new Positions(keys);
  return new Map(keys.map((key, at) => [key, at]));
}

class Positions<K> implements Lookup<K, number> {
  private readonly keys: readonly K[];

  constructor(keys: readonly K[]) {
    this.keys = keys;
  }

  get(key: K): number | undefined {
    const at = this.keys.lastIndexOf(key);
    return at < 0 ? undefined : at;
  }
}
