/** Freezes plain data with everything inside it, down to what is frozen already; the same value is returned. */
export function freezeDeep<T>(value: T): T {
  // A list of what is still open and no recursion, which would be compiled into itself.
  const open: unknown[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== 'object' || next === null || Object.isFrozen(next)) continue;
    Object.freeze(next);
    if (Array.isArray(next)) {
      for (const inner of next) if (typeof inner === 'object' && inner !== null) open.push(inner);
      continue;
    }
    // Plain data inherits nothing that this loop would see.
    for (const key in next) {
      const inner: unknown = next[key as keyof typeof next];
      if (typeof inner === 'object' && inner !== null) open.push(inner);
    }
  }
  return value;
}
