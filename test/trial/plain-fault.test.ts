import { expect, test } from 'vitest';
import type { FaultType } from '../../src/plugin/fault-type.ts';
import { plainFault } from '../../src/trial/plain-fault.ts';

test.each([
  ['nothing', undefined],
  ['no apply', { delayUs: 0 }],
  ['a function', () => null],
])('a fault of a plug-in that gives %s is told what a fault has', (_what, made) => {
  const type = { kind: 'fault', type: 'odd', summary: 'Odd.', create: () => made } as unknown as FaultType;
  expect(() => plainFault(type).create({})).toThrow(
    'it gave no fault, which has a number `delayUs` and a function `apply`',
  );
});
