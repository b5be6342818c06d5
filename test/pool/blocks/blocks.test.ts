import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BailTracker, FailingScenarios } from '../../../src/pool/blocks/bail.ts';
import { BlockGrid, spansOf } from '../../../src/pool/blocks/block-grid.ts';
import { BlockLedger } from '../../../src/pool/blocks/block-ledger.ts';
import {
  claimBlocks,
  type Claimed,
  createControl,
  doneOf,
  lowerLimit,
  publishDone,
  unclaimed,
} from '../../../src/pool/control.ts';
import { IntervalSet } from '../../../src/pool/blocks/interval-set.ts';
import { repairTrials } from '../../../src/pool/repair/repair.ts';
import { encodeTally } from '../../../src/pool/tally/tally-codec.ts';
import { Tally } from '../../../src/trial/tally/tally.ts';
import type { Delta } from '../../../src/types/delta.ts';
import { aRunPlan } from '../a-run.ts';
import { FAKE_SHAPE } from '../fixtures/fake-program.ts';

const spans = fc
  .array(fc.record({ scenario: fc.nat(9), fromBlock: fc.nat(50), length: fc.integer({ min: 1, max: 40 }) }), {
    minLength: 1,
    maxLength: 20,
  })
  .map((list) => list.map(({ scenario, fromBlock, length }) => ({ scenario, fromBlock, toBlock: fromBlock + length })));

/** A delta of blocks with so many trials passed and failed. */
function aDelta(fromBlock: number, toBlock: number, trials: number, failed = 0): Delta {
  const tally = new Tally(FAKE_SHAPE);
  for (let trial = 0; trial < trials; trial++) {
    if (trial < failed) tally.markFailed(trial, [0]);
    else tally.markPassed(trial);
  }
  return { scenario: 0, fromBlock, toBlock, tally: encodeTally(tally) };
}

describe('the block grid', () => {
  test('hands out every block once, wherever it is cut', () => {
    fc.assert(
      fc.property(spans, fc.array(fc.integer({ min: 1, max: 30 })), (list, steps) => {
        const grid = new BlockGrid(list);
        const got: string[] = [];
        for (let at = 0, i = 0; at < grid.total; i++) {
          const to = Math.min(grid.total, at + (steps[i % (steps.length || 1)] ?? 7));
          for (const part of grid.slice(at, to)) {
            for (let block = part.fromBlock; block < part.toBlock; block++) got.push(`${part.scenario}:${block}`);
          }
          at = to;
        }
        const wanted = list.flatMap(({ scenario, fromBlock, toBlock }) =>
          Array.from({ length: toBlock - fromBlock }, (_, i) => `${scenario}:${fromBlock + i}`),
        );
        expect(got).toEqual(wanted);
      }),
    );
  });

  test('refuses a plan whose blocks cannot be counted in shared memory', () => {
    const plan = aRunPlan([{ trials: 2 ** 32, io: true }]);
    expect(() => new BlockGrid(spansOf(plan))).toThrow(
      expect.objectContaining({
        code: 'PLAN',
        message: 'The plan has 4294967296 blocks; one run takes at most 2146435072.',
      }),
    );
  });
});

function isClaim(claimed: Claimed): claimed is { readonly from: number; readonly to: number } {
  return claimed !== null && claimed !== 'full';
}

describe('claims', () => {
  test('cover all positions in turn, large first and single at the end', () => {
    const control = createControl({ workers: 2, total: 1000 });
    const sizes: number[] = [];
    let at = 0;
    for (let claim = claimBlocks(control, 0); isClaim(claim); claim = claimBlocks(control, 0)) {
      expect(claim.from).toBe(at);
      sizes.push(claim.to - claim.from);
      at = claim.to;
    }
    expect(at).toBe(1000);
    expect(sizes[0]).toBe(62);
    expect(sizes.at(-1)).toBe(1);
    expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
  });

  test('take what waits for answers only where there is room for it, and the rest as ever', () => {
    const control = createControl({ workers: 2, total: 1000, waiting: 3 });
    expect(claimBlocks(control, 0, 2)).toEqual({ from: 0, to: 2 });
    expect(claimBlocks(control, 0, 0)).toBe('full');
    expect(claimBlocks(control, 1, 1)).toEqual({ from: 2, to: 3 });
    expect(claimBlocks(control, 0, 0)).toEqual({ from: 3, to: 65 });
  });

  test('stop at a limit that only ever falls', () => {
    const control = createControl({ workers: 1, total: 100 });
    lowerLimit(control, 10);
    lowerLimit(control, 50);
    let last = 0;
    for (let claim = claimBlocks(control, 0); isClaim(claim); claim = claimBlocks(control, 0)) last = claim.to;
    expect({ last, left: unclaimed(control) }).toEqual({ last: 10, left: 0 });
  });

  test('count beyond 31 bits', () => {
    const control = createControl({ workers: 1, total: 1 });
    for (let i = 0; i < 5; i++) publishDone(control, 0, 2 ** 30, 2 ** 29);
    expect(doneOf(control, 0)).toEqual({ done: 5 * 2 ** 30, failed: 5 * 2 ** 29 });
  });
});

test('an interval set knows exactly what was added', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(60), fc.integer({ min: 1, max: 8 })), { maxLength: 40 }), (adds) => {
      const set = new IntervalSet();
      const model = new Set<number>();
      for (const [from, length] of adds) {
        const values = Array.from({ length }, (_, i) => from + i);
        const known = values.filter((value) => model.has(value)).length;
        const expected = known === 0 ? 'added' : known === length ? 'known' : 'partial';
        expect(set.add(from, from + length)).toBe(expected);
        if (expected === 'added') for (const value of values) model.add(value);
      }
      const missing = set
        .missing(0, 80)
        .flatMap(({ from, to }) => Array.from({ length: to - from }, (_, i) => from + i));
      expect(missing).toEqual(Array.from({ length: 80 }, (_, i) => i).filter((value) => !model.has(value)));
    }),
  );
});

describe('the ledger', () => {
  const plan = aRunPlan([{ trials: 3 * 4096 + 1 }]);

  test('counts blocks once and names what is missing', () => {
    const ledger = new BlockLedger(plan);
    expect(ledger.accept(aDelta(1, 2, 4096))).toBe(true);
    expect(ledger.accept(aDelta(1, 2, 4096))).toBe(false);
    expect(ledger.accept(aDelta(3, 4, 1))).toBe(true);
    expect({ trials: ledger.trials, missing: ledger.missing(spansOf(plan)) }).toEqual({
      trials: 4097,
      missing: [
        { scenario: 0, fromBlock: 0, toBlock: 1 },
        { scenario: 0, fromBlock: 2, toBlock: 3 },
      ],
    });
  });

  test.each([
    ['a block beyond the plan', aDelta(4, 5, 4096)],
    ['a wrong number of trials', aDelta(3, 4, 4096)],
    ['a scenario that is not planned', { ...aDelta(0, 1, 4096), scenario: 1 }],
    ['an empty range', aDelta(1, 1, 0)],
  ])('refuses %s', (_, delta) => {
    expect(() => new BlockLedger(plan).accept(delta)).toThrow(expect.objectContaining({ code: 'INTEGRITY' }));
  });

  test('refuses blocks that arrived before together with others', () => {
    const ledger = new BlockLedger(plan);
    ledger.accept(aDelta(0, 2, 8192));
    expect(() => ledger.accept(aDelta(1, 3, 8192))).toThrow(expect.objectContaining({ code: 'INTEGRITY' }));
  });

  test('refuses two different results of one repeatable block', () => {
    const ledger = new BlockLedger(plan, { compareRepeats: true });
    ledger.accept(aDelta(0, 1, 4096));
    expect(ledger.accept(aDelta(0, 1, 4096))).toBe(false);
    expect(() => ledger.accept(aDelta(0, 1, 4096, 1))).toThrow(expect.objectContaining({ code: 'INTEGRITY' }));
  });
});

test('bail reports the blocks up to the lowest failing one of the last scenario that may fail, whatever the order of arrival', () => {
  const all = Array.from({ length: 12 }, (_, at) => ({ scenario: Math.floor(at / 3), block: at % 3, at }));
  const list = [0, 1, 2, 3].map((scenario) => ({ scenario, fromBlock: 0, toBlock: 3 }));
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 5 }),
      fc.uniqueArray(fc.nat(11), { maxLength: 8 }),
      fc.shuffledSubarray(all, { minLength: 12 }),
      (bail, failing, order) => {
        const tracker = new BailTracker(list, bail);
        const reported = order.flatMap(({ scenario, block, at }) =>
          tracker
            .accept({ ...aDelta(block, block + 1, 2, failing.includes(at) ? 1 : 0), scenario })
            .map((delta) => delta.scenario * 3 + delta.fromBlock),
        );
        const firsts = list.map(({ scenario }) =>
          all.find((one) => one.scenario === scenario && failing.includes(one.at)),
        );
        const last = firsts.filter((one) => one !== undefined)[bail - 1]?.at ?? 11;
        expect(reported).toEqual([...Array(last + 1).keys()]);
        expect(tracker.ended).toBe(true);
      },
    ),
  );
});

test('what some of the failing blocks say of the end is never before what all of them say', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 4 }),
      fc.array(fc.nat(19), { maxLength: 12 }),
      fc.nat(12),
      (bail, ats, some) => {
        const endOf = (seen: readonly number[]): number | null =>
          seen.reduce<number | null>((_, at) => failing.note(Math.floor(at / 4), at)?.at ?? null, null);
        let failing = new FailingScenarios(bail);
        const early = endOf(ats.slice(0, some));
        failing = new FailingScenarios(bail);
        const whole = endOf(ats);
        if (early !== null) expect(whole).toBeLessThanOrEqual(early);
      },
    ),
  );
});

describe('repair of trials run one by one', () => {
  const work = { kind: 'careful', scenario: 0, block: 0, from: 0, to: 100 } as const;

  test('begins with a suspect that others may have spoilt, before it is blamed', () => {
    expect(repairTrials(work, [{ from: 40, to: 100 }], { trial: 40, certain: false })).toEqual({
      culprit: null,
      left: [{ ...work, from: 40, to: 100 }],
    });
  });

  test('goes on behind a culprit', () => {
    expect(repairTrials(work, [{ from: 40, to: 100 }], { trial: 40, certain: true })).toEqual({
      culprit: 40,
      left: [{ ...work, from: 41, to: 100 }],
    });
    expect(repairTrials(work, [{ from: 99, to: 100 }], { trial: 99, certain: true })).toEqual({
      culprit: 99,
      left: [],
    });
  });

  test('blames nobody when the suspect had already delivered', () => {
    expect(repairTrials(work, [{ from: 41, to: 100 }], { trial: 40, certain: true })).toEqual({
      culprit: null,
      left: [{ ...work, from: 41, to: 100 }],
    });
  });
});
