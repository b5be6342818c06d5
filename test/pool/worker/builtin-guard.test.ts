import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { mendBuiltins, noteBuiltins } from '../../../src/pool/worker/builtin-guard.ts';

beforeEach(noteBuiltins);

const CHANGES: Readonly<Record<string, () => void>> = {
  'Array.prototype.push': () => {
    Array.prototype.push = () => 0;
  },
  'Array.prototype[Symbol(Symbol.iterator)]': () => {
    Reflect.deleteProperty(Array.prototype, Symbol.iterator);
  },
  'the iterator of lists.next': () => {
    Object.assign(Object.getPrototypeOf([].values()), { next: () => ({ done: true }) });
  },
  'Object.prototype.extra': () => {
    Object.assign(Object.prototype, { extra: 1 });
  },
  'JSON.parse': () => {
    JSON.parse = () => null;
  },
  'Math.max': () => {
    Object.defineProperty(Math, 'max', { get: () => () => 0, configurable: true });
  },
  'Object.keys': () => {
    Object.keys = () => [];
  },
  setTimeout: () => {
    Reflect.set(globalThis, 'setTimeout', null);
  },
  Map: () => {
    Reflect.deleteProperty(globalThis, 'Map');
  },
};

test.each(Object.entries(CHANGES))('notices that %s was changed, and puts it back', (name, change) => {
  change();
  const changed = mendBuiltins();
  expect(changed).toEqual({ name, isMended: true });
  expect(mendBuiltins()).toBeNull();
});

test('leaves alone what is there to be set, and what is added beside it', () => {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = stackTraceLimit + 1;
  Object.assign(Map.prototype, { last: () => 0 });
  expect(mendBuiltins()).toBeNull();
  Error.stackTraceLimit = stackTraceLimit;
  Reflect.deleteProperty(Map.prototype, 'last');
});

test('takes what was there when it noted it: a plug-in may bring its own', () => {
  const { trim } = String.prototype;
  String.prototype.trim = () => '';
  noteBuiltins();
  expect(mendBuiltins()).toBeNull();
  String.prototype.trim = trim;
  expect(mendBuiltins()?.name).toBe('String.prototype.trim');
  String.prototype.trim = trim;
  noteBuiltins();
});

test('says so when something cannot be put back', () => {
  Object.defineProperty(Math, 'tanh', { value: 1, configurable: false, writable: true });
  expect(mendBuiltins()).toEqual({ name: 'Math.tanh', isMended: true });
  Object.defineProperty(Math, 'sinh', { value: 1, configurable: false, writable: false });
  expect(mendBuiltins()).toEqual({ name: 'Math.sinh', isMended: false });
  noteBuiltins();
});

test('any changes at once are put back', () => {
  fc.assert(
    fc.property(fc.subarray(Object.values(CHANGES), { minLength: 1 }), (changes) => {
      for (const change of changes) change();
      const changed = mendBuiltins();
      expect({ isMended: changed?.isMended, again: mendBuiltins() }).toEqual({ isMended: true, again: null });
    }),
    { numRuns: 30 },
  );
});
