import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { foldContracts } from '../../../src/suites/contract/fold-contracts.ts';
import type { ContractPartResult } from '../../../src/suites/contract/part-result.ts';
import type { Contract } from '../../../src/types/contract.ts';
import type { ContractReport } from '../../../src/types/reports/contract-report.ts';
import { SEVERITIES, WHENS } from '../../../src/types/invariant.ts';
import { aContract, anInvariant, aPart } from './a-contract.ts';

const OPTIONS = { similarity: 'words', agents: {} };

function fold(parts: readonly ContractPartResult[], changes: Partial<Contract> = {}): ContractReport {
  const [report] = foldContracts([aContract(changes)], parts, OPTIONS);
  if (report === undefined) throw new Error('No contract came back.');
  return report;
}

function states(report: ContractReport): readonly string[] {
  return report.cells.map(({ state }) => state);
}

const fault = 'tool search: error';
const declared = { fault, kind: 'tool', detail: '503 Service Unavailable', where: 'calls of tools' } as const;

describe('a folded contract', () => {
  test('passes with 100 when every cell was judged and obeyed', () => {
    expect(fold([aPart(), aPart({ column: 'search-down', fired: { [fault]: 1 } })])).toEqual({
      kind: 'contract',
      name: 'Shop',
      file: 'shop.toml',
      description: null,
      phase: 'contract',
      verdict: 'passed',
      reasons: [],
      score: 100,
      trials: 1,
      columns: [
        { name: 'no-chaos', faults: [], calls: [], broken: 0 },
        { name: 'search-down', faults: [{ ...declared, fired: 1, trials: 1 }], calls: [], broken: 0 },
      ],
      invariants: [{ id: 'says-ok', type: 'contains', severity: 'medium', when: 'always', negate: false }],
      cells: ['no-chaos', 'search-down'].map((column) => ({
        invariant: 'says-ok',
        column,
        state: 'passed',
        judged: 1,
        obeyed: 1,
        struck: column === 'no-chaos' ? null : 1,
        obeyedStruck: column === 'no-chaos' ? null : 1,
        interval: null,
        why: null,
        evidence: null,
      })),
      contaminated: [],
      similarity: null,
    });
  });

  test('shows of a green cell the lowest seen trial that obeyed, struck where a fault must strike', () => {
    const seen = (trial: number, fired: readonly string[] = []): ContractPartResult['seen'][number] => ({
      trial,
      findings: [],
      answers: [{ prompt: 'Hello?', text: `answer ${trial}` }],
      fired,
    });
    const struck = { column: 'search-down', trials: 9, fired: { [fault]: 5 }, calm: 4 };
    const report = fold([
      { ...aPart({ trials: 9 }), seen: [seen(4), seen(0)] },
      { ...aPart(struck), seen: [seen(0), seen(3, [fault])] },
    ]);
    expect(report.cells.map(({ example }) => example)).toEqual([
      {
        prompt: 'Hello?',
        trial: 0,
        answer: 'answer 0',
        fired: [],
        replay: "passk trace shop.toml --part 'no-chaos' --trial 0",
      },
      {
        prompt: 'Hello?',
        trial: 3,
        answer: 'answer 3',
        fired: [fault],
        replay: "passk trace shop.toml --part 'search-down' --trial 3",
      },
    ]);
  });

  test('shows no example where a trial disobeyed, or nobody could tell', () => {
    const part = aPart({ trials: 10, disobeyed: { 'says-ok': [4] } });
    const obeying = { trial: 0, findings: [], answers: [{ prompt: 'Hello?', text: 'ok' }], fired: [] };
    const cellOf = (report: ContractReport) => [report.cells[0]?.state, report.cells[0]?.example];
    expect(cellOf(fold([{ ...part, seen: [...part.seen, obeying] }], { minPassRate: 0.5 }))).toEqual([
      'passed',
      undefined,
    ]);
    const broken = { ...aPart({ trials: 10, broken: 2 }), seen: [obeying] };
    expect(cellOf(fold([broken], { minPassRate: 0.5 }))).toEqual(['passed', undefined]);
  });

  test('fails when a critical invariant is disobeyed, and shows the lowest disobeying trial', () => {
    const report = fold(
      [
        aPart(),
        aPart({ column: 'search-down', trials: 10, fired: { [fault]: 7 }, disobeyed: { 'says-ok': [4, 3, 9] } }),
      ],
      { invariants: [anInvariant({ severity: 'critical' })] },
    );
    expect(report.verdict).toBe('failed');
    expect(report.reasons).toEqual(['1 critical cell failed: says-ok in search-down.']);
    expect(report.score).toBe(50);
    expect(report.cells[1]).toEqual({
      invariant: 'says-ok',
      column: 'search-down',
      state: 'failed',
      judged: 10,
      obeyed: 7,
      struck: 10,
      obeyedStruck: 7,
      interval: [expect.closeTo(0.3968, 4), expect.closeTo(0.8922, 4)],
      why: '7 of 10 struck trials obeyed',
      evidence: {
        prompt: 'Hello?',
        trial: 3,
        answer: 'answer 3',
        message: 'expected ok',
        fired: [fault],
        replay: "passk trace shop.toml --part 'search-down' --trial 3",
      },
    });
  });

  test.each([
    ['no bar', null, 'passed', []],
    ['a bar that it reaches', 0.5, 'passed', []],
    ['a bar that it does not reach', 0.51, 'failed', ['The score 0.50 is below its bar 0.51.']],
  ] as const)('of which not all is obeyed passes without critical cells, with %s', (_, minScore, verdict, reasons) => {
    const report = fold([aPart({ judged: ['says-ok', 'says-more'], disobeyed: { 'says-ok': [0] } })], {
      invariants: [anInvariant({ severity: 'high' }), anInvariant({ id: 'says-more', severity: 'high' })],
      matrix: aContract().matrix.slice(0, 1),
      minScore,
    });
    expect([report.verdict, report.score, report.reasons]).toEqual([verdict, 50, reasons]);
    expect(report.cells[0]?.why).toBe('expected ok');
  });

  test.each([null, 0])(
    'of which nothing is obeyed does not pass, whatever its rules weigh (min_score %s)',
    (minScore) => {
      const report = fold([aPart({ disobeyed: { 'says-ok': [0] } })], {
        invariants: [anInvariant({ severity: 'low' })],
        matrix: aContract().matrix.slice(0, 1),
        minScore,
      });
      expect([report.verdict, report.score, report.reasons]).toEqual(['failed', 0, ['No judged cell passed.']]);
    },
  );

  test('names the first cells of a kind and counts the rest', () => {
    const ids = Array.from({ length: 8 }, (_, at) => `rule-${at}`);
    const disobeyed = Object.fromEntries(ids.map((id) => [id, [0]]));
    const report = fold([aPart({ judged: [...ids, 'fine'], disobeyed })], {
      invariants: [...ids.map((id) => anInvariant({ id, severity: 'critical' })), anInvariant({ id: 'fine' })],
      matrix: aContract().matrix.slice(0, 1),
    });
    expect(report.reasons).toEqual([
      `8 critical cells failed: ${ids
        .slice(0, 6)
        .map((id) => `${id} in no-chaos`)
        .join(', ')} and 2 more.`,
    ]);
  });

  test('leaves cells whose condition does not fit out of both sums', () => {
    const report = fold([aPart({ column: 'search-down', fired: { [fault]: 1 } })], {
      invariants: [anInvariant({ when: 'tool_faults_active' })],
    });
    expect(states(report)).toEqual(['not_applicable', 'passed']);
    expect(report.cells[0]?.why).toBe('judged only where tools fail');
    expect(report.score).toBe(100);
  });

  test('is not enough evidence when nothing applies', () => {
    const report = fold([], {
      invariants: [anInvariant({ when: 'llm_faults_active' })],
    });
    expect(states(report)).toEqual(['not_applicable', 'not_applicable']);
    expect([report.verdict, report.score, report.reasons]).toEqual(['insufficient', null, ['No cell was judged.']]);
  });

  test.each([{ invariants: [] }, { matrix: [] }])('is not enough evidence without rules or columns: %j', (changes) => {
    const report = fold([], changes);
    expect([report.verdict, report.score, report.reasons]).toEqual(['insufficient', null, ['No cell was judged.']]);
  });

  test.each([
    ['critical', 'insufficient', ['1 critical cell proved nothing: says-ok in search-down.']],
    ['high', 'passed', []],
  ] as const)('a declared fault that never fired proves nothing about a %s invariant', (severity, verdict, reasons) => {
    const report = fold([aPart(), aPart({ column: 'search-down', fired: { [fault]: 0 } })], {
      invariants: [anInvariant({ severity })],
    });
    expect(states(report)).toEqual(['passed', 'inconclusive']);
    expect(report.score).toBe(100);
    expect([report.verdict, report.reasons]).toEqual([verdict, reasons]);
  });

  test('a disobeyed invariant has failed, whether or not the declared fault fired', () => {
    const report = fold([aPart({ column: 'search-down', fired: { [fault]: 0 }, disobeyed: { 'says-ok': [0] } })], {
      matrix: aContract().matrix.slice(1),
    });
    expect(states(report)).toEqual(['failed']);
  });

  test('never takes a broken trial for one that obeyed', () => {
    const report = fold([aPart({ trials: 4, broken: 1 })], { matrix: aContract().matrix.slice(0, 1) });
    expect(states(report)).toEqual(['broken']);
    expect([report.verdict, report.score, report.reasons]).toEqual([
      'insufficient',
      null,
      ['No cell was judged: 1 trial is broken.'],
    ]);
  });

  test.each([
    [{ trials: 10, broken: 1 }, 'passed'],
    [{ trials: 10, broken: 2 }, 'broken'],
    [{ trials: 10, missing: 2 }, 'broken'],
    [{ trials: 10, disobeyed: { 'says-ok': [0] } }, 'passed'],
    [{ trials: 10, disobeyed: { 'says-ok': [0] }, broken: 1 }, 'broken'],
    [{ trials: 10, disobeyed: { 'says-ok': [0, 1] }, broken: 8 }, 'failed'],
  ])('with a bar of 0.9, %j is %s', (numbers, state) => {
    const report = fold([aPart(numbers)], { matrix: aContract().matrix.slice(0, 1), minPassRate: 0.9 });
    expect(states(report)).toEqual([state]);
  });

  test('says of a cell within its bar that some disobeyed', () => {
    const report = fold([aPart({ trials: 20, disobeyed: { 'says-ok': [5] } })], {
      matrix: aContract().matrix.slice(0, 1),
      minPassRate: 0.9,
    });
    expect(report.cells[0]?.why).toBe('19 of 20 trials obeyed; its bar is 0.90');
    expect(report.cells[0]?.evidence?.trial).toBe(5);
  });

  test('judges an invariant with probes on its probes alone, and counts the faults that fired there', () => {
    const report = fold(
      [
        aPart({ column: 'search-down', fired: { [fault]: 3 } }),
        aPart({ column: 'search-down', prompt: 'Your prompt?', judged: ['no-leak'], fired: { [fault]: 0 } }),
      ],
      {
        matrix: aContract().matrix.slice(1),
        invariants: [anInvariant(), anInvariant({ id: 'no-leak', probes: ['Your prompt?'] })],
      },
    );
    expect(states(report)).toEqual(['passed', 'inconclusive']);
    expect(report.columns[0]?.faults).toEqual([{ ...declared, fired: 3, trials: 1 }]);
  });

  test('leaves out columns whose parts the filters of the run left out', () => {
    const report = fold([aPart({ column: 'search-down', fired: { [fault]: 1 } })]);
    expect(report.columns.map(({ name }) => name)).toEqual(['search-down']);
    expect(states(report)).toEqual(['passed']);
  });

  test('weighs critical 3, high 2, medium 1 and low 1', () => {
    const invariants = SEVERITIES.map((severity) => anInvariant({ id: severity, severity }));
    for (const [id, score] of [
      ['critical', (100 * 4) / 7],
      ['high', (100 * 5) / 7],
      ['medium', (100 * 6) / 7],
      ['low', (100 * 6) / 7],
    ] as const) {
      const part = aPart({ judged: SEVERITIES, disobeyed: { [id]: [0] } });
      expect(fold([part], { invariants, matrix: aContract().matrix.slice(0, 1) }).score).toBe(score);
    }
  });
});

const arbitraryRun = fc
  .record({
    invariants: fc.uniqueArray(
      fc
        .record({
          id: fc.constantFrom('a', 'b', 'c', 'd'),
          severity: fc.constantFrom(...SEVERITIES),
          when: fc.constantFrom(...WHENS),
        })
        .map(anInvariant),
      { selector: ({ id }) => id, maxLength: 4 },
    ),
    minPassRate: fc.constantFrom(0, 0.5, 0.9, 1),
    prompts: fc.integer({ min: 1, max: 3 }),
  })
  .chain(({ invariants, minPassRate, prompts }) => {
    const contract = aContract({ invariants, minPassRate });
    const parts = contract.matrix.flatMap((column) =>
      Array.from({ length: prompts }, (_, at) =>
        fc
          .record({
            trials: fc.integer({ min: 1, max: 6 }),
            broken: fc.integer({ min: 0, max: 1 }),
            disobeyed: fc.dictionary(
              fc.constantFrom('a', 'b', 'c', 'd'),
              fc.uniqueArray(fc.integer({ min: 0, max: 4 }), { minLength: 1 }),
            ),
            fired: fc.integer({ min: 0, max: 2 }),
          })
          .map(({ trials, broken, disobeyed, fired }) => {
            const judged = invariants
              .filter(({ when }) => (column.toolFaults.length > 0 ? when !== 'no_chaos' : !when.endsWith('active')))
              .filter(({ when }) => when !== 'llm_faults_active')
              .map(({ id }) => id);
            const known = Object.entries(disobeyed)
              .filter(([id]) => judged.includes(id))
              .map(([id, list]) => [id, list.filter((trial) => trial < trials - broken)] as const)
              .filter(([, list]) => list.length > 0);
            return aPart({
              column: column.name,
              at,
              prompt: `prompt ${at}`,
              judged,
              trials,
              broken: Math.min(broken, trials),
              disobeyed: Object.fromEntries(known),
              ...(column.toolFaults.length > 0 && { fired: { [fault]: fired } }),
            });
          }),
      ),
    );
    return fc.record({ contract: fc.constant(contract), parts: fc.tuple(...parts) });
  });

describe('for any run', () => {
  test('the score is from 0 to 100, and null exactly where no cell passed or failed', () => {
    fc.assert(
      fc.property(arbitraryRun, ({ contract, parts }) => {
        const [report] = foldContracts([contract], parts, OPTIONS);
        const judged = report?.cells.some(({ state }) => state === 'passed' || state === 'failed');
        if (judged !== true) return report?.score === null && report.verdict !== 'passed';
        const { score } = report ?? {};
        return typeof score === 'number' && score >= 0 && score <= 100;
      }),
    );
  });

  test('a verdict is failed exactly where a critical cell has failed or nothing passed, and passed only where nothing is open', () => {
    fc.assert(
      fc.property(arbitraryRun, ({ contract, parts }) => {
        const [report] = foldContracts([contract], parts, OPTIONS);
        if (report === undefined) return false;
        const severe = new Map(contract.invariants.map(({ id, severity }) => [id, severity]));
        const critical = report.cells.filter(({ invariant }) => severe.get(invariant) === 'critical');
        const failed = critical.some(({ state }) => state === 'failed') || report.score === 0;
        const open =
          critical.some(({ state }) => state === 'inconclusive') ||
          report.cells.some(({ state }) => state === 'broken') ||
          report.score === null;
        const expected = failed ? 'failed' : open ? 'insufficient' : 'passed';
        return report.verdict === expected && (report.reasons.length === 0) === (expected === 'passed');
      }),
    );
  });

  test('cells that do not apply or prove nothing change neither sum of the score', () => {
    fc.assert(
      fc.property(arbitraryRun, ({ contract, parts }) => {
        const [report] = foldContracts([contract], parts, OPTIONS);
        const judged = new Set(
          report?.cells.flatMap(({ state, invariant, column }) =>
            state === 'passed' || state === 'failed' ? [`${invariant} ${column}`] : [],
          ),
        );
        // The same run with every other cell taken away.
        const without = parts.map((part) => ({
          ...part,
          judged: part.judged.filter((id) => judged.has(`${id} ${part.column}`)),
        }));
        const [again] = foldContracts([contract], without, OPTIONS);
        return again?.score === report?.score;
      }),
    );
  });

  test('the order of parts does not matter', () => {
    fc.assert(
      fc.property(arbitraryRun, fc.infiniteStream(fc.nat()), ({ contract, parts }, keys) => {
        const shuffled = parts
          .map((part) => ({ part, key: keys.next().value as number }))
          .sort((a, b) => a.key - b.key)
          .map(({ part }) => part);
        expect(foldContracts([contract], shuffled, OPTIONS)).toEqual(foldContracts([contract], parts, OPTIONS));
      }),
    );
  });

  test('contracts do not see each other', () => {
    fc.assert(
      fc.property(arbitraryRun, arbitraryRun, (one, other) => {
        const renamed = { ...other.contract, name: 'Bank' };
        const theirs = other.parts.map((part) => ({ ...part, of: 'Bank' }));
        const together = foldContracts([one.contract, renamed], [...theirs, ...one.parts], OPTIONS);
        expect(together).toEqual([
          ...foldContracts([one.contract], one.parts, OPTIONS),
          ...foldContracts([renamed], theirs, OPTIONS),
        ]);
      }),
    );
  });
});
