/** Gives an object a key of its own, whatever it is called: an assignment to `__proto__` would set the prototype. */
export function setOwn<T>(object: Record<string, T>, key: string, value: T): void {
  if (key !== '__proto__') object[key] = value;
  else Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}
