/** Freezes plain data with everything inside it; the same value is returned. */
export function freezeDeep<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) freeze(value);
  return value;
}

/** Recursive, as files nest their data a hundred levels deep at most. */
function freeze(value: object): void {
  Object.freeze(value);
  if (Array.isArray(value)) {
    for (const inner of value) freezeDeep(inner);
    return;
  }
  // Plain data inherits nothing that this loop would see.
  for (const key in value) freezeDeep(value[key as keyof typeof value]);
}
