import { createRequire, syncBuiltinESMExports } from 'node:module';

type Holder = Record<PropertyKey, unknown>;

/** Modules whose functions reach files, other machines or other processes. */
const OUTSIDE = [
  'node:fs',
  'node:fs/promises',
  'node:net',
  'node:tls',
  'node:http',
  'node:https',
  'node:http2',
  'node:dgram',
  'node:dns',
  'node:dns/promises',
  'node:child_process',
  'node:cluster',
];
const GLOBALS = ['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest'];
const OF_PROCESS = ['binding', '_linkedBinding', 'dlopen', 'kill', 'exit', 'abort', 'reallyExit', 'getBuiltinModule'];

const require = createRequire(import.meta.url);

/**
 * Takes files, network and processes away from what runs in this thread from now on. It keeps a generator honest; code that
 * wants to break out of its thread is no generator, and plug-ins are code that the user trusts.
 */
export function denyOutside(): void {
  for (const id of OUTSIDE) {
    const module = moduleOf(id);
    for (const name of Object.keys(module ?? {})) {
      if (module !== null && typeof module[name] === 'function')
        deny(module, name, `${id.slice('node:'.length)}.${name}`);
    }
  }
  const threads = moduleOf('node:worker_threads');
  if (threads !== null) deny(threads, 'Worker', 'Worker');
  const scope = globalThis as unknown as Holder;
  for (const name of GLOBALS) if (name in scope) deny(scope, name, name);
  const host = process as unknown as Holder;
  for (const name of OF_PROCESS) if (name in host) deny(host, name, `process.${name}`);
  syncBuiltinESMExports();
}

/** Runs something that must follow from its arguments alone: without a clock, the dice, and whatever would happen later. */
export function withoutChance<T>(action: () => T): T {
  const crypto = moduleOf('node:crypto');
  const places: readonly (readonly [holder: object | null | undefined, names: readonly string[], of: string])[] = [
    [Math, ['random'], 'Math.'],
    [performance, ['now'], 'performance.'],
    [process, ['hrtime', 'uptime', 'cpuUsage', 'memoryUsage'], 'process.'],
    [globalThis.crypto, ['getRandomValues', 'randomUUID'], 'crypto.'],
    [crypto, ['randomBytes', 'randomInt', 'randomUUID', 'randomFillSync', 'randomFill', 'getRandomValues'], 'crypto.'],
    [globalThis, ['setTimeout', 'setInterval', 'setImmediate'], ''],
  ];
  const restore: (() => void)[] = [];
  const swap = (holder: object, name: string, value: unknown): void => {
    const own = Object.getOwnPropertyDescriptor(holder, name);
    if (own !== undefined && own.configurable === false && own.writable !== true) return;
    if (!Reflect.defineProperty(holder, name, { value, configurable: true, writable: true, enumerable: true })) return;
    restore.push(() => {
      if (own === undefined) Reflect.deleteProperty(holder, name);
      else Reflect.defineProperty(holder, name, own);
    });
  };
  for (const [holder, names, of] of places) {
    if (holder === null || holder === undefined) continue;
    for (const name of names) if (name in holder) swap(holder, name, chance(`${of}${name}()`));
  }
  swap(globalThis, 'Date', timeless());
  syncBuiltinESMExports();
  try {
    return action();
  } finally {
    for (const back of restore) back();
    syncBuiltinESMExports();
  }
}

/** `Date` of a time that is told, and of no other. */
function timeless(): DateConstructor {
  const now = chance('Date.now()');
  return new Proxy(Date, {
    construct: (target, args, subject) =>
      (args.length === 0 ? now() : Reflect.construct(target, args, subject)) as object,
    apply: now,
    get: (target, name, receiver) => (name === 'now' ? now : (Reflect.get(target, name, receiver) as unknown)),
  });
}

function chance(called: string): () => never {
  return () => {
    throw new Error(`A generator follows from its seed alone, and it called ${called}. Draw from \`random\`.`);
  };
}

function deny(holder: Holder, name: string, called: string): void {
  const value = (): never => {
    throw new Error(`A generator has no files, network or processes, and it called ${called}().`);
  };
  Reflect.defineProperty(holder, name, { value, configurable: false, writable: false, enumerable: true });
}

/** Null where this runtime has no such module. */
function moduleOf(id: string): Holder | null {
  try {
    return require(id) as Holder;
  } catch {
    return null;
  }
}
