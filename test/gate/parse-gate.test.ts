import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkGate } from '../../src/gate/check-gate.ts';
import { METRIC_NAMES, metricNamed } from '../../src/gate/gate-metrics.ts';
import { hintFor } from '../../src/text/did-you-mean.ts';
import { gateNumber } from '../../src/gate/gate-number.ts';
import { parseGate } from '../../src/gate/parse-gate.ts';
import { didYouMean } from '../../src/text/did-you-mean.ts';
import { GATE_OPERATORS, type Gate } from '../../src/types/reports/gate.ts';
import { aGate } from './a-gate.ts';
import { processorMs } from '../support/processor-time.ts';

const point = { kind: 'point' } as const;

describe('a gate', () => {
  test.each<[string, Partial<Gate>]>([
    ['pass_rate >= 0.95', {}],
    ['  pass_rate>=95%  ', { text: 'pass_rate>=95%' }],
    ['pass_rate >= 95 %', {}],
    ['pass_rate.lower(0.9) > .5', { side: { kind: 'lower', level: 0.9, about: 'these' }, operator: '>', value: 0.5 }],
    ['pass_rate.upper <= 1e-1', { side: { kind: 'upper', level: 0.95, about: 'these' }, operator: '<=', value: 0.1 }],
    ['pass^8 >= 0.9', { metric: 'pass^', k: 8, value: 0.9 }],
    [
      'pass@3.lower(99%) >= 0.9',
      { metric: 'pass@', k: 3, side: { kind: 'lower', level: 0.99, about: 'these' }, value: 0.9 },
    ],
    [
      'suite.pass_rate.lower(0.9, population) >= 0.9',
      { scope: { kind: 'suite' }, side: { kind: 'lower', level: 0.9, about: 'population' }, value: 0.9 },
    ],
    ['cost_per_success <= 2_000', { metric: 'cost_per_success', operator: '<=', value: 2000 }],
    ['policy_denials == 0', { metric: 'policy_denials', operator: '==', value: 0 }],
    ['coverage >= 0.8', { metric: 'coverage', scope: { kind: 'suite' }, value: 0.8 }],
    ['suite.pass^8 >= 0.5', { metric: 'pass^', k: 8, scope: { kind: 'suite' }, value: 0.5 }],
    ['scenario(llm-route).pass_rate >= 0.5', { scope: { kind: 'scenario', name: 'llm-route' }, value: 0.5 }],
    [
      'model(openai/gpt-4o).pass_rate >= 0.5',
      { scope: { kind: 'cells', names: { model: 'openai/gpt-4o' } }, value: 0.5 },
    ],
    [
      'test("a (b)").plugin(openai@js).cost_per_success.upper <= 9',
      {
        metric: 'cost_per_success',
        scope: { kind: 'cells', names: { test: 'a (b)', plugin: 'openai@js' } },
        side: { kind: 'upper', level: 0.95, about: 'these' },
        operator: '<=',
        value: 9,
      },
    ],
    ['failed_cells == 0', { metric: 'failed_cells', scope: { kind: 'suite' }, operator: '==', value: 0 }],
    [
      'model(a).flaky_cells < 2',
      { metric: 'flaky_cells', scope: { kind: 'cells', names: { model: 'a' } }, operator: '<', value: 2 },
    ],
    [
      'scenario("a (b) \\" ü").broken < 3',
      { metric: 'broken', scope: { kind: 'scenario', name: 'a (b) " ü' }, operator: '<', value: 3 },
    ],
  ])('%s is understood', (text, parts) => {
    expect(parseGate(text)).toEqual({ ok: true, gate: { ...aGate(), text: text.trim(), ...parts } });
  });

  test('every listed metric, operator and scope can be written', () => {
    for (const name of METRIC_NAMES) {
      const scope = metricNamed(name)?.scenarioOnly === true ? 'scenario(x).' : 'suite.';
      for (const operator of GATE_OPERATORS) expect(parseGate(`${scope}${name} ${operator} 0.5`).ok).toBe(true);
    }
    expect(aGate().side).toEqual(point);
  });

  test('a misspelt metric of k trials is compared with those of the same k', () => {
    const parsed = parseGate('pas^4 >= 0.9');
    const { word, candidates } = parsed.ok ? { word: '', candidates: [] } : parsed.problem;
    expect(hintFor(word, candidates, 'words')).toBe('Did you mean "pass^4"?');
  });

  test.each([
    ['', 'empty_gate', 1, 2, 'There is no gate here.'],
    ['pas_rate >= 0.9', 'unknown_metric', 1, 9, 'There is no metric "pas_rate".'],
    [' >= 0.9', 'unknown_metric', 2, 3, 'The metric is missing.'],
    ['pass^k >= 0.9', 'bad_k', 1, 7, '"k" is no number of trials.'],
    ['pass^0 >= 0.9', 'bad_k', 1, 7, '"0" is no number of trials.'],
    ['scenario(x.pass_rate >= 1', 'unknown_scope', 1, 10, 'The scenario of this gate has no end.'],
    ['scenario(x).coverage >= 1', 'unknown_scope', 13, 21, 'coverage is a metric of the suite, not of a scenario.'],
    ['model(x.pass_rate >= 1', 'unknown_scope', 1, 7, 'The model of this gate has no end.'],
    ['model(x).model(y).pass_rate >= 1', 'unknown_scope', 10, 15, 'The model of this gate stands here a second time.'],
    ['model(x).coverage >= 1', 'unknown_scope', 10, 18, 'coverage is no metric of cells.'],
    [
      'scenario(x).failed_cells < 1',
      'unknown_scope',
      13,
      25,
      'failed_cells is a metric of the suite, not of a scenario.',
    ],
    ['pass_rate.low >= 0.9', 'unknown_side', 11, 14, 'A metric has no "low".'],
    ['pass_rate. >= 0.9', 'unknown_side', 11, 12, 'A bound should stand after the dot.'],
    ['tokens.upper <= 9', 'no_interval', 8, 13, 'tokens has no confidence interval.'],
    [
      'cost_per_success.upper < 5',
      'no_interval',
      18,
      23,
      'cost_per_success has a confidence interval only for the suite.',
    ],
    [
      'pass_rate.lower(0.9, population) >= 0.9',
      'bad_population',
      17,
      32,
      'A single scenario is no sample of a population.',
    ],
    [
      'suite.pass_rate.lower(0.9, all) >= 0.9',
      'bad_population',
      23,
      31,
      '"0.9, all" says nothing that a bound can be about.',
    ],
    ['pass_rate.lower(95) >= 0.9', 'bad_level', 17, 19, '"95" is no level of confidence.'],
    ['pass_rate.lower(0.95 >= 0.9', 'bad_level', 17, 28, '"0.95 >= 0.9" is no level of confidence.'],
    ['pass_rate', 'unknown_operator', 10, 11, 'The comparison is missing.'],
    ['pass_rate 0.9', 'unknown_operator', 11, 14, 'A comparison should stand before "0.9".'],
    ['pass_rate => 0.9', 'unknown_operator', 11, 13, 'There is no comparison "=>".'],
    ['pass_rate >=', 'bad_value', 13, 14, 'The value to compare with is missing.'],
    ['pass_rate >= high', 'bad_value', 14, 18, '"high" is no number.'],
    ['pass_rate >= 0.9.1', 'bad_value', 14, 19, '"0.9.1" is no number.'],
    ['pass_rate >= 0.9 and x', 'text_after_gate', 18, 23, '"and x" stands after a complete gate.'],
    ['pass_rate >= 95', 'never_passes', 14, 16, '95 is out of reach: the metric is between 0 and 1.'],
    ['policy_denials < 0', 'never_passes', 18, 19, 'No run passes < 0: the metric is 0 or more.'],
    ['tokens <= -1', 'never_passes', 11, 13, '-1 is out of reach: the metric is 0 or more.'],
    ['failed < 5%', 'bad_value', 10, 12, '5% is a share, and failed is none.'],
    ['suite.cost_per_success.upper <= 20 %', 'bad_value', 33, 37, '20 % is a share, and cost_per_success is none.'],
    ['pass_rate.lower >= 1', 'never_passes', 20, 21, 'No run passes this: a lower bound never reaches 1.'],
  ])('%j is refused as %s at columns %d to %d', (text, code, column, endColumn, message) => {
    const parsed = parseGate(text);
    expect(parsed).toMatchObject({ ok: false, problem: { code, column, endColumn, message } });
  });

  test.each([
    ['pass_rate => 0.9', 'Write >=.'],
    ['pass_rate ≤ 0.9', 'Write <=.'],
    ['pass_rate >= 95', 'Write 95% for a share.'],
    ['pass^k >= 0.9', 'Write how many trials it is about, such as pass^8.'],
    ['cost_per_success.lower > 5', 'Write suite.cost_per_success.lower.'],
  ])('%j comes with what to write: %s', (text, hint) => {
    expect(parseGate(text)).toMatchObject({ problem: { hint } });
  });

  test('a misspelt metric comes with the words that a "did you mean" needs', () => {
    for (const [wrong, right] of [
      ['pas_rate', 'pass_rate'],
      ['passrate', 'pass_rate'],
      ['policy_denial', 'policy_denials'],
      ['pas^8', 'pass^8'],
    ] as const) {
      const parsed = parseGate(`${wrong} >= 0.9`);
      expect(parsed.ok ? null : didYouMean(parsed.problem.word, parsed.problem.candidates)).toBe(right);
    }
  });

  test('any text is a gate or a problem with a place inside it, never an exception', () => {
    const words = fc.constantFrom(
      'suite.',
      'scenario(',
      'model(',
      'test(',
      '"',
      ')',
      '.',
      'pass',
      '^',
      '@',
      '8',
      'rate',
      '_',
      '>=',
      '<',
      '=',
      '0.9',
      '%',
      ' ',
      'lower',
      '(',
      '\\',
      'ü',
      '\u0000',
      '__proto__',
      'constructor',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.array(words).map((parts) => parts.join('')),
        ),
        (text) => {
          const parsed = parseGate(text);
          if (parsed.ok) return;
          const { column, endColumn } = parsed.problem;
          expect(column >= 1 && column < endColumn && endColumn <= text.length + 2).toBe(true);
        },
      ),
      { numRuns: 2000 },
    );
    for (const name of ['__proto__', 'constructor', 'toString']) expect(parseGate(`${name} >= 1`).ok).toBe(false);
  });

  test('a long text is read in linear time', () => {
    const before = processorMs();
    for (const text of ['scenario('.repeat(100_000), `pass_rate >= ${'1_'.repeat(500_000)}`, ' '.repeat(1_000_000)])
      parseGate(text);
    expect(processorMs() - before).toBeLessThan(1000);
  });
});

test('a gate on a scenario that does not run is refused before the run, with the names there are', () => {
  const parsed = parseGate('scenario("llm-rout").pass_rate >= 0.5');
  if (!parsed.ok) throw new Error('unexpected');
  const cells = [{ plugin: 'p', model: 'a/b', test: 't' }];
  expect(checkGate(parsed.gate, { scenarios: ['llm-route'], cells })).toEqual({
    code: 'unknown_scenario',
    message: 'There is no scenario "llm-rout" in this run.',
    column: 10,
    endColumn: 20,
    word: 'llm-rout',
    candidates: ['llm-route'],
  });
  expect(checkGate(parsed.gate, { scenarios: ['llm-rout'], cells })).toBe(null);
  expect(checkGate(aGate(), { scenarios: [], cells: [] })).toBe(null);
});

test('a gate on cells that are not there is refused before the run, at the name that is wrong', () => {
  const cells = [
    { plugin: 'p', model: 'a/b', test: 't' },
    { plugin: 'p', model: 'a/c', test: 'u' },
  ];
  const check = (text: string): unknown => checkGate(aGate(text), { scenarios: [], cells });
  expect(check('model(a/b).test(t).pass_rate == 1')).toBe(null);
  expect(check('plugin(p).pass_rate == 1')).toBe(null);
  expect(check('model(a/b).test("uu").pass_rate == 1')).toEqual({
    code: 'unknown_cell',
    message: 'There is no test "uu" in this run.',
    column: 17,
    endColumn: 21,
    word: 'uu',
    candidates: ['t', 'u'],
  });
  expect(check('model(a/d).test(t).pass_rate == 1')).toMatchObject({ column: 7, endColumn: 10, word: 'a/d' });
  expect(check('model(a/b).test(u).pass_rate == 1')).toMatchObject({
    code: 'unknown_cell',
    message: 'This run has no test u of model a/b.',
  });
});

test('numbers are plain decimals, shares and powers of ten', () => {
  const texts = [
    '0.95',
    '95%',
    '95 %',
    '95.1%',
    '.5',
    '1e6',
    '2_000',
    '-1',
    '',
    '.',
    '%',
    '1.',
    '0x10',
    '1__0',
    '_1',
    'NaN',
    'Infinity',
    '1e999',
  ];
  expect(texts.map(gateNumber)).toEqual([
    0.95,
    0.95,
    0.95,
    0.951,
    0.5,
    1e6,
    2000,
    -1,
    null,
    null,
    null,
    null,
    null,
    null,
    null,
    null,
    null,
    null,
  ]);
});
