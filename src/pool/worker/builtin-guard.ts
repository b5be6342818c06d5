// Taken before code of the user runs, which may change what these names stand for.
const { defineProperty, deleteProperty, getOwnPropertyDescriptor, getPrototypeOf, ownKeys, set } = Reflect;
const text = String;

/** What JavaScript itself brings: all code in a worker shares it. */
const NAMES = [
  ...['Object', 'Function', 'Array', 'String', 'Number', 'Boolean', 'Symbol', 'BigInt', 'Date', 'RegExp', 'Promise'],
  ...['Map', 'Set', 'WeakMap', 'WeakSet', 'WeakRef', 'Error', 'TypeError', 'RangeError', 'SyntaxError', 'Proxy'],
  ...['ArrayBuffer', 'SharedArrayBuffer', 'DataView', 'Uint8Array', 'Uint32Array', 'Int32Array', 'Float64Array'],
  ...['JSON', 'Math', 'Reflect', 'Atomics', 'Buffer', 'TextEncoder', 'TextDecoder', 'AbortController', 'URL'],
];
const FUNCTIONS = ['parseInt', 'parseFloat', 'isNaN', 'isFinite', 'encodeURIComponent', 'decodeURIComponent'];
const TIMING = ['setTimeout', 'setInterval', 'setImmediate', 'clearTimeout', 'clearInterval', 'clearImmediate'];

interface Holder {
  readonly name: string;
  readonly object: Record<PropertyKey, unknown>;
  readonly keys: readonly PropertyKey[];
  readonly descriptors: readonly PropertyDescriptor[];
  /** All its keys; null: more of them do no harm. */
  readonly all: readonly PropertyKey[] | null;
}

/** Something that code of the user changed, and that was put back where it could be. */
export interface ChangedBuiltin {
  readonly name: string;
  readonly isMended: boolean;
}

let holders: readonly Holder[] = [];

/** Notes what JavaScript brings; from now on a change of it is found. */
export function noteBuiltins(): void {
  const found: Holder[] = [];
  const add = (name: string, object: unknown, isClosed = false): void => {
    if ((typeof object === 'object' || typeof object === 'function') && object !== null) {
      found.push(holderOf(name, object, isClosed));
    }
  };
  found.push(holderOf('globalThis', globalThis, false, [...NAMES, ...FUNCTIONS, ...TIMING]));
  for (const name of NAMES) {
    const builtin: unknown = Reflect.get(globalThis, name);
    add(name, builtin);
    // A loop over the keys of any object or list meets what is added here.
    const isClosed = name === 'Object' || name === 'Array';
    if (typeof builtin === 'function') add(`${name}.prototype`, Reflect.get(builtin, 'prototype'), isClosed);
  }
  add('the iterator of lists', getPrototypeOf([].values()));
  add('the iterator of maps', getPrototypeOf(new Map().values()));
  add('the prototype of iterators', getPrototypeOf(getPrototypeOf([].values()) as object));
  add('TypedArray.prototype', getPrototypeOf(Uint8Array.prototype));
  holders = found;
}

/** The first thing that differs from what was noted; null: none does. All that differ are put back. */
export function mendBuiltins(): ChangedBuiltin | null {
  let name: string | null = null;
  let isMended = true;
  for (let i = 0; i < holders.length; i++) {
    const holder = holders[i] as Holder;
    const { object, keys, descriptors, all } = holder;
    for (let k = 0; k < keys.length; k++) {
      const key = keys[k] as PropertyKey;
      const descriptor = descriptors[k] as PropertyDescriptor;
      if (object[key] === descriptor.value) continue;
      name ??= nameOf(holder, key);
      isMended = (defineProperty(object, key, descriptor) || set(object, key, descriptor.value)) && isMended;
    }
    if (all === null) continue;
    const present = ownKeys(object);
    for (let k = 0; present.length > all.length && k < present.length; k++) {
      const key = present[k] as PropertyKey;
      if (isAmong(all, key)) continue;
      name ??= nameOf(holder, key);
      isMended = deleteProperty(object, key) && isMended;
    }
  }
  return name === null ? null : { name, isMended };
}

/** Only functions and namespaces: other values, as `Error.stackTraceLimit`, are there to be set. */
function holderOf(
  name: string,
  object: object,
  isClosed: boolean,
  only: readonly PropertyKey[] = ownKeys(object),
): Holder {
  const keys: PropertyKey[] = [];
  const descriptors: PropertyDescriptor[] = [];
  for (const key of only) {
    const descriptor = getOwnPropertyDescriptor(object, key);
    const value: unknown = descriptor?.value;
    if (descriptor === undefined || value === null || (typeof value !== 'function' && typeof value !== 'object'))
      continue;
    keys.push(key);
    descriptors.push(descriptor);
  }
  return {
    name,
    object: object as Record<PropertyKey, unknown>,
    keys,
    descriptors,
    all: isClosed ? ownKeys(object) : null,
  };
}

function isAmong(keys: readonly PropertyKey[], key: PropertyKey): boolean {
  for (let k = 0; k < keys.length; k++) if (keys[k] === key) return true;
  return false;
}

function nameOf({ name }: Holder, key: PropertyKey): string {
  if (name === 'globalThis') return text(key);
  return typeof key === 'symbol' ? `${name}[${text(key)}]` : `${name}.${text(key)}`;
}
