import process from 'node:process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileJsonSchema } from '../../src/engine/typebox-schema.ts';
import { encodeTally } from '../../src/pool/tally-codec.ts';
import { compileTrial } from '../../src/trial/compile-trial.ts';
import type { TrialProgram } from '../../src/trial/program.ts';
import { builtinRegistry } from '../../src/trial/registry.ts';
import type { ScenarioPlan } from '../../src/types/plan.ts';
import { arbitraryPlan } from './arbitrary-scenario.ts';

const RUNS = Number(process.env['PASSK_LAW_RUNS'] ?? 300);
const TRIALS = 150;

function compile(plan: ScenarioPlan, useTables: boolean): TrialProgram {
  return compileTrial(plan, {
    registry: builtinRegistry,
    compileSchema: compileJsonSchema,
    callHost: null,
    startClock: () => {
      throw new Error('a pure program reads no clock');
    },
    useTables,
  });
}

function bytes(program: TrialProgram, ranges: readonly (readonly [number, number])[]): string {
  const tally = program.newTally();
  for (const [from, to] of ranges) program.run(from, to, tally);
  return Buffer.from(encodeTally(tally)).toString('hex');
}

test(
  'trials over tables count exactly what walked trials count',
  () => {
    fc.assert(
      fc.property(arbitraryPlan, fc.integer({ min: 1, max: TRIALS - 1 }), (plan, cut) => {
        const tables = compile(plan, true);
        const whole = bytes(tables, [[0, TRIALS]]);
        expect(whole).toBe(bytes(compile(plan, false), [[0, TRIALS]]));
        // Again on warm tables, and split anywhere.
        expect(bytes(tables, [[0, TRIALS]])).toBe(whole);
        expect(
          bytes(tables, [
            [cut, TRIALS],
            [0, cut],
          ]),
        ).toBe(whole);
      }),
      { numRuns: RUNS },
    );
  },
  60_000 + RUNS * 100,
);
