import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CanaryMachine } from '../../src/canary/canary-machine.ts';
import { renderCanary } from '../../src/canary/render-canary.ts';
import { displayWidth } from '../../src/text/display-width.ts';
import type { CanaryOutcome } from '../../src/types/canary/outcome.ts';
import { afterStep, aLine, anOutcome, aPlan, aStage, NOW, START, takeStep } from './a-canary.ts';

const report = (machine: CanaryMachine) => machine.report('0'.repeat(64));
const HOUR = 3_600_000;

describe('the way of a candidate', () => {
  test('goes from the shadow by 5 and 25 to 100 %, one stage a step, and is released', () => {
    const machine = new CanaryMachine(aPlan());
    const ways: unknown[] = [];
    for (let step = 0; step < 5; step++) {
      takeStep(machine, { from: step * 200, outcomes: 200 });
      const { state, percent, decision } = report(machine);
      ways.push([state, percent, decision]);
    }
    expect(ways).toEqual([
      ['running', 5, 'promote'],
      ['running', 25, 'promote'],
      ['running', 100, 'promote'],
      ['released', 100, 'promote'],
      ['released', 100, 'none'],
    ]);
    const { transitions, refused, stages } = report(machine);
    expect(transitions.map(({ from, to, outcomes }) => [from, to, outcomes])).toEqual([
      [0, 5, 200],
      [5, 25, 200],
      [25, 100, 200],
      [100, 100, 200],
    ]);
    expect(refused).toEqual({ over: 200 });
    expect(stages.every(({ state }) => state === 'passed')).toBe(true);
  });

  test('never skips a stage, whatever a step holds', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 400 }), fc.double({ min: 0, max: 0.2, noNaN: true })), {
          maxLength: 12,
        }),
        (steps) => {
          const plan = aPlan();
          const machine = new CanaryMachine(plan);
          const order = plan.stages.map(({ percent }) => percent);
          let from = 0;
          let percent = 0;
          for (const [outcomes, failing] of steps) {
            const every = failing === 0 ? Number.POSITIVE_INFINITY : Math.round(1 / failing);
            takeStep(machine, { from, outcomes, fieldsOf: (i) => ({ passed: (i + 1) % every !== 0 }) });
            from += outcomes;
            const next = report(machine);
            const allowed = [percent, order[order.indexOf(percent) + 1] ?? percent];
            if (next.state === 'rolled_back') return next.percent === 0;
            if (!allowed.includes(next.percent)) return false;
            percent = next.percent;
          }
          return true;
        },
      ),
      { numRuns: 30 },
    );
  });

  test('waits for outcomes, hours and bounds, and says for which', () => {
    const plan = aPlan({ stages: [aStage({ minHours: 1, minOutcomes: 300 })] });
    const { state, decision, waitsFor } = report(afterStep(plan, 50));
    expect([state, decision]).toEqual(['running', 'hold']);
    expect(waitsFor).toEqual([
      '50 of 300 outcomes.',
      '0.0 of 1 hours.',
      'Pass rate 1.00 [0.8706, 1.00] of 50, floor 0.95.',
    ]);
    const slow = afterStep(plan, 400, (i) => ({ atMs: START + i * 10_000 }));
    expect(report(slow).state).toBe('released');
  });

  test('is held by lines that cannot be read, as by errors, until they are read', () => {
    const machine = new CanaryMachine(aPlan());
    const broken = (i: number): string => aLine(i, { passed: 'false' });
    // The same line counts once, and another version or what nobody has judged is nothing of this stage.
    for (let i = 0; i < 10; i++) machine.take(broken(i), NOW);
    machine.take(broken(0), NOW);
    machine.take('{"id":"r10","at":', NOW);
    machine.take(aLine(11, { passed: 'false', version: '1' }), NOW);
    machine.take(aLine(12, { passed: null }), NOW);
    takeStep(machine, { from: 20, outcomes: 200 });
    const { percent, decision, refused, waitsFor } = report(machine);
    expect({ percent, decision, refused }).toEqual({
      percent: 0,
      decision: 'hold',
      refused: { bad_field: 12, no_verdict: 1, not_json: 1 },
    });
    expect(waitsFor).toEqual([
      expect.stringMatching(
        /^Errors of the harness 0\.0521 .* of 211, ceiling 0\.02\. 11 of them are lines that cannot be read\.$/,
      ),
    ]);
    for (let i = 0; i < 10; i++) machine.take(aLine(i), NOW);
    machine.endStep();
    expect(report(machine).percent).toBe(5);
  });

  test('is taken back for a violation in a line that cannot be counted', () => {
    for (const fields of [{ cost_usd: -1 }, { passed: 'false' }, { id: 7 }, { at: 'today' }, { passed: null }]) {
      const machine = new CanaryMachine(aPlan());
      machine.take(aLine(0, { ...fields, violation: 'paid twice' }), NOW);
      machine.endStep();
      const { state, reasons } = report(machine);
      expect([state, reasons.map(({ code }) => code)]).toEqual(['rolled_back', ['VIOLATION']]);
    }
    const other = new CanaryMachine(aPlan());
    for (const fields of [{ arm: 'baseline' }, { version: '3' }, { violation: false }, { violation: 0 }]) {
      other.take(aLine(0, { cost_usd: -1, violation: 'paid twice', ...fields }), NOW);
    }
    expect(report(other).state).toBe('running');
  });

  test('is not promoted by a look when the rest of its step speaks against it', () => {
    const errors = report(afterStep(aPlan(), 400, (i) => ({ passed: i < 200 ? true : null })));
    expect([errors.state, errors.percent, errors.decision]).toEqual(['running', 0, 'hold']);
    expect(errors.waitsFor).toEqual([expect.stringMatching(/^Errors of the harness 0\.50 /)]);
    const failures = afterStep(aPlan(), 209, (i) => ({ passed: i < 200 }));
    expect(report(failures)).toMatchObject({ state: 'running', percent: 0, decision: 'hold' });
    // Once its numbers are good again it goes on.
    takeStep(failures, { from: 209, outcomes: 1291 });
    expect(report(failures)).toMatchObject({ percent: 5, decision: 'promote' });
  });

  test('lasts by the clocks of the candidate, which neither old outcomes of the baseline nor clocks that go back lengthen', () => {
    const plan = aPlan({ baseline: '1', stages: [aStage({ minHours: 24 }), aStage({ percent: 100 })] });
    const stageOf = (fieldsOf: (i: number) => Partial<CanaryOutcome>) => report(afterStep(plan, 400, fieldsOf));
    const old = { arm: 'baseline', version: '1', atMs: START - 48 * HOUR } as const;
    expect(stageOf((i) => (i % 2 === 0 ? old : {})).waitsFor).toEqual(['0.1 of 24 hours.']);
    for (const wrong of [[7], [0], [0, 1], [1, 4]]) {
      const { waitsFor, stages } = stageOf((i) => (wrong.includes(i) ? { atMs: 0 } : {}));
      expect(waitsFor).toEqual(['0.1 of 24 hours.']);
      // The beginning that is shown is the one from which hours count.
      expect(stages[0]?.from?.slice(0, 16)).toBe(new Date(START).toISOString().slice(0, 16));
    }
    expect(stageOf((i) => ({ atMs: START + i * 600_000 })).percent).toBe(100);
  });

  test('is taken back where it is still open after the most outcomes or hours', () => {
    const byOutcomes = afterStep(aPlan({ stages: [aStage({ maxOutcomes: 200 })] }), 300, (i) => ({
      passed: i % 20 !== 0,
    }));
    expect(report(byOutcomes).reasons).toMatchObject([{ code: 'MAX_HOLD' }]);
    const byHours = afterStep(aPlan({ stages: [aStage({ maxHours: 2 })] }), 100, (i) => ({
      passed: i % 20 !== 0,
      atMs: START + i * 0.1 * HOUR,
    }));
    expect(report(byHours)).toMatchObject({ state: 'rolled_back', reasons: [{ code: 'MAX_HOLD' }] });
  });
});

describe('what takes a candidate back, and what only holds it', () => {
  test('a pass rate below its floor, with the last failing outcomes by name', () => {
    const { state, percent, reasons, transitions } = report(afterStep(aPlan(), 300, (i) => ({ passed: i % 4 !== 0 })));
    expect([state, percent, transitions.at(-1)?.to]).toEqual(['rolled_back', 0, null]);
    expect(reasons).toMatchObject([{ code: 'PASS_RATE' }]);
    expect(reasons[0]?.outcomes).toHaveLength(5);
    expect(reasons[0]?.message).toMatch(/^Pass rate 0\.\d+ \[.*\] of \d+, floor 0\.95 in the shadow\.$/);
  });

  test('a violation of safety at once, also one that is late', () => {
    const plan = aPlan();
    const machine = afterStep(plan, 200);
    expect(report(machine).percent).toBe(5);
    expect(machine.takeOutcome(anOutcome(7, { id: 'late', violation: 'mail to a stranger' }), NOW)).toBe('late');
    expect(report(machine)).toMatchObject({
      state: 'rolled_back',
      reasons: [{ code: 'VIOLATION', outcomes: ['late'] }],
    });
    const borne = new CanaryMachine(aPlan({ maxViolations: 1 }));
    borne.takeOutcome(anOutcome(1, { violation: 'one' }), NOW);
    expect(report(borne).state).toBe('running');
    borne.takeOutcome(anOutcome(2, { violation: 'two' }), NOW);
    expect(report(borne).state).toBe('rolled_back');
  });

  test('a violation of the baseline says nothing of the candidate', () => {
    const machine = new CanaryMachine(aPlan());
    machine.takeOutcome(anOutcome(1, { arm: 'baseline', version: '1', violation: 'one' }), NOW);
    expect(report(machine).state).toBe('running');
  });

  test('a cost per success above its ceiling, and one outcome that costs more than any can', () => {
    const plan = aPlan({ maxCostPerOutcome: 1, stages: [aStage({ maxCostPerSuccess: 0.1 })] });
    expect(report(afterStep(plan, 2000, () => ({ costUsd: 0.05 }))).state).toBe('released');
    expect(report(afterStep(plan, 2000, () => ({ costUsd: 0.2 }))).reasons).toMatchObject([{ code: 'COST' }]);
    expect(report(afterStep(plan, 1, () => ({ costUsd: 1.01 }))).reasons).toMatchObject([{ code: 'RUNAWAY_COST' }]);
  });

  test('a pass rate that drops against the baseline by more than it may', () => {
    const plan = aPlan({ baseline: '1', stages: [aStage({ minPassRate: 0.5, maxDrop: 0.05 })] });
    const arms = (passing: number) => (i: number) =>
      i % 2 === 0 ? { arm: 'baseline' as const, version: '1' } : { passed: i % 20 < passing };
    expect(report(afterStep(plan, 3000, arms(20))).state).toBe('released');
    expect(report(afterStep(plan, 3000, arms(14))).reasons).toMatchObject([{ code: 'DROP' }]);
    // Nobody knows how the baseline does.
    expect(report(afterStep(plan, 3000)).state).toBe('running');
  });

  test('answers that are slow too often', () => {
    const plan = aPlan({ stages: [aStage({ maxLatencyMs: 1000, maxSlow: 0.1 })] });
    const timed = (slowEvery: number) => (i: number) => ({ latencyMs: i % slowEvery === 0 ? 2000 : 100 });
    expect(report(afterStep(plan, 2000, timed(50))).state).toBe('released');
    expect(report(afterStep(plan, 2000, timed(4))).reasons).toMatchObject([{ code: 'SLOW' }]);
  });

  test('pass^k by runs of one key: requests that always fail hide in a rate, and not in it', () => {
    const plan = aPlan({ stages: [aStage({ minPassRate: 0.8, k: 4, minPassHatK: 0.6 })] });
    // One in six kinds fails half of the time, or one failure in twelve is spread over all kinds.
    const oneKind = (i: number) => ({ key: `k${i % 6}`, passed: i % 6 !== 0 || i % 12 !== 0 });
    const { stages } = report(afterStep(plan, 3000, oneKind));
    // Five kinds of six always pass; spread over all, two runs of three do.
    const kinds = stages[0]?.criteria[1];
    expect(kinds).toMatchObject({ measure: 'pass_hat_k', state: 'met', isExtrapolated: false });
    expect(kinds?.value).toBeCloseTo(5 / 6, 2);
    const mixed = report(afterStep(plan, 3000, (i) => ({ passed: i % 12 !== 0 }))).stages[0]?.criteria[1];
    expect(mixed).toMatchObject({ measure: 'pass_hat_k', isExtrapolated: true });
    expect(mixed?.value).toBeCloseTo(2 / 3, 1);
  });

  test('errors of the harness, outcomes without a price and without a latency hold it', () => {
    const errors = report(afterStep(aPlan(), 400, (i) => ({ passed: i % 10 === 0 ? null : true })));
    expect([errors.state, errors.decision]).toEqual(['running', 'hold']);
    expect(errors.stages[0]?.candidate).toMatchObject({ outcomes: 400, passed: 360, failed: 0, errors: 40 });
    expect(errors.waitsFor[0]).toMatch(/^Errors of the harness 0\.10 /);
    const atCeiling = aPlan({ lookEvery: 1, stages: [aStage({ maxErrorRate: 0.29 })] });
    expect(report(afterStep(atCeiling, 400, (i) => ({ passed: i < 116 ? null : true }))).state).toBe('released');
    const plan = aPlan({ maxCostPerOutcome: 1, stages: [aStage({ maxCostPerSuccess: 0.5, maxLatencyMs: 1000 })] });
    const unknown = report(afterStep(plan, 2000, (i) => (i === 3 ? {} : { costUsd: 0.05, latencyMs: 10 })));
    expect(unknown.waitsFor).toEqual(['1 outcomes have no cost.', '1 outcomes have no latency.']);
  });
});

describe('what is set aside', () => {
  const reasons = (lines: readonly string[], plan = aPlan({ baseline: '1' })) => {
    const machine = new CanaryMachine(plan);
    return lines.map((line) => machine.take(line, NOW));
  };

  test('lines that are no outcome, each with its reason', () => {
    expect(
      reasons([
        'no json',
        '[]',
        aLine(1, { id: undefined }),
        aLine(1, { id: 7 }),
        aLine(1, { at: undefined }),
        aLine(1, { at: '2026-11-01' }),
        aLine(1, { at: '2026-11-01T10:00:00' }),
        aLine(1, { at: '2026-02-31T10:00:00Z' }),
        aLine(1, { at: '2026-11-01' }),
        aLine(1, { arm: undefined }),
        aLine(1, { arm: 'control' }),
        aLine(1, { version: undefined }),
        aLine(1, { passed: undefined }),
        aLine(1, { passed: 'yes' }),
        aLine(1, { cost_usd: -1 }),
        aLine(1, { latency_ms: '5' }),
        aLine(1).replace(/}$/, ',"passed":true}'),
        aLine(1, { passed: undefined, error: 'timed out' }),
      ]),
    ).toEqual([
      'not_json',
      'not_json',
      'no_id',
      'bad_field',
      'no_time',
      'bad_field',
      'bad_field',
      'bad_field',
      'bad_field',
      'no_arm',
      'bad_field',
      'no_version',
      'no_verdict',
      'bad_field',
      'bad_field',
      'bad_field',
      'bad_field',
      null,
    ]);
  });

  test('two candidates in one stream, doubles, and clocks that are ahead', () => {
    expect(
      reasons([
        aLine(1),
        aLine(1),
        aLine(1, { passed: false }),
        aLine(1, { arm: 'baseline', version: '1' }),
        aLine(2, { version: '3' }),
        aLine(3, { arm: 'baseline' }),
        aLine(4, { at: '2027-01-01T00:00:00Z' }),
      ]),
    ).toEqual([null, 'double', 'contradiction', null, 'other_version', 'other_version', 'ahead']);
    expect(reasons([aLine(1, { arm: 'baseline' })], aPlan())).toEqual(['other_version']);
  });

  test('outcomes of a stage that is over, by their time or their share of traffic', () => {
    const machine = afterStep(aPlan(), 200);
    const at = (number: number, percent?: number) =>
      machine.takeOutcome(anOutcome(number, { id: `late${number}`, percent: percent ?? null }), NOW);
    expect([at(3), at(300, 0), at(301, 5), at(302)]).toEqual(['late', 'other_stage', null, null]);
    expect(report(machine)).toMatchObject({ counted: 202, refused: { late: 1, other_stage: 1 } });
  });

  test('a clock that goes back within a stage counts, and is counted', () => {
    const machine = new CanaryMachine(aPlan());
    for (const number of [5, 3, 9, 4]) machine.takeOutcome(anOutcome(number), NOW);
    expect(report(machine)).toMatchObject({ counted: 4, outOfOrder: 2, refused: {} });
  });

  test('every line is counted once, as an outcome or by its reason', () => {
    const line = fc.oneof(
      fc.string(),
      fc.json(),
      fc
        .tuple(
          fc.nat(20),
          fc.constantFrom(
            {},
            { version: '3' },
            { arm: 'baseline', version: '1' },
            { passed: false },
            { error: 'x' },
            { violation: 'x' },
          ),
        )
        .map(([id, fields]) => aLine(id, fields)),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 60 }), (lines) => {
        const machine = new CanaryMachine(aPlan());
        for (const one of lines) machine.take(one, NOW);
        const { counted, refused } = report(machine);
        return counted + Object.values(refused).reduce((sum, count) => sum + count, 0) === lines.length;
      }),
    );
  });
});

test('a rollout reads within 60 columns, and colours take no room', () => {
  const rollout = report(afterStep(aPlan(), 400, () => ({})));
  const plain = renderCanary(rollout, { columns: 60 });
  expect(plain.split('\n').filter((line) => displayWidth(line) > 60)).toEqual([]);
  expect(stripVTControlCharacters(renderCanary(rollout, { columns: 60, color: true }))).toBe(plain);
});
