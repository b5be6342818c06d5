import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DATA_MARK, inertJson, renderHtml } from '../../src/report/html/render-html.ts';
import { passCurve } from '../../src/report/html/html-curve.ts';
import { renderReport } from '../../src/suite/render-report.ts';
import { renderJson } from '../../src/report/render-json.ts';
import type { HtmlReport } from '../../src/report/html/html-model.ts';
import type { SuiteReport } from '../../src/types/reports/report.ts';
import type { ContractReport } from '../../src/types/reports/contract-report.ts';
import type { Severity } from '../../src/types/invariant.ts';
import { aContract, aContractReport } from './a-contract.ts';
import { aFailingScenario, aFailure, aReport, aScenario } from './a-report.ts';
import { aHostileReport, HOSTILE, REPORT_CASES } from './report-cases.ts';

const [BEFORE, AFTER] = ['<!doctype html><script type="application/json">', '</script>\n'];
const TEMPLATE = `${BEFORE}${DATA_MARK}${AFTER}`;

function dataOf(report: SuiteReport): string {
  const html = renderHtml(report, TEMPLATE);
  expect([html.startsWith(BEFORE), html.endsWith(AFTER)]).toEqual([true, true]);
  return html.slice(BEFORE.length, -AFTER.length);
}

function read(report: SuiteReport): HtmlReport {
  return JSON.parse(dataOf(report)) as HtmlReport;
}

describe('the data of the page', () => {
  test.each(Object.entries(REPORT_CASES))('of the case "%s" is JSON that no HTML parser acts on', (_name, report) => {
    expect(dataOf(report)).not.toMatch(/[<>&\u2028\u2029\u202e]/);
    expect(read(report).scenarios.length).toBe(report.scenarios.length);
  });

  test.each(Object.entries(REPORT_CASES))('of the case "%s" is what its JSON report says', (_name, report) => {
    for (const timing of [true, false]) {
      const written = JSON.parse(renderJson(report, { timing: true })) as SuiteReport;
      expect(renderHtml(written, TEMPLATE, { timing })).toBe(renderHtml(report, TEMPLATE, { timing }));
    }
  });

  test('stays inert for any text, and means the same', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(inertJson([text])).not.toMatch(/[<>&]/);
        expect(JSON.parse(inertJson([text]))).toEqual(JSON.parse(JSON.stringify([text])));
      }),
    );
  });

  test('draws pass^k of all scenarios, as the text report and gates have it, and says how far it reaches', () => {
    const many = [aScenario(), aScenario({ failed: 3 })];
    const report = aReport({ scenarios: many });
    const { curve, meanPassRate, meanInterval } = read(report);
    const listed = report.summary.passHatK.filter(({ k }) => k <= 16 || Number.isInteger(Math.log2(k)));
    expect(curve.points.map(([k, value]) => [k, value])).toEqual(
      listed.map(({ k, value }) => [k, Number(value.toPrecision(4))]),
    );
    expect([meanPassRate?.toPrecision(4), meanInterval]).toEqual([
      curve.points[0]?.[1].toPrecision(4),
      report.summary.passHatK[0]?.interval,
    ]);
    expect(curve.caption).toContain('mean over all scenarios, up to the');
    const withOne = read(aReport({ scenarios: [...many, aScenario({ passed: 1 })] })).curve;
    expect([withOne.points.length, withOne.caption]).toEqual([1, expect.stringMatching(/has a single trial/)]);
    expect(read(aReport({ scenarios: [] })).curve).toEqual({ points: [], caption: expect.stringMatching(/^No trial/) });
  });

  test('draws the same pass^k of an only scenario in its overview and in its view', () => {
    const { curve, scenarios, meanInterval } = read(aReport({ scenarios: [aScenario({ failed: 3 })] }));
    expect(scenarios[0]?.detail?.curve).toEqual(curve);
    expect(meanInterval).toBeNull();
  });

  test('goes in as it is, whatever replacement patterns it holds', () => {
    const name = `$& $' $\` $1 ${DATA_MARK}`;
    expect(read(aReport({ scenarios: [aScenario({}, { name })] })).scenarios[0]?.name).toBe(name);
  });

  test('shows control characters and marks of direction as escapes', () => {
    const shown = read(aHostileReport(HOSTILE)).scenarios[1]?.detail?.failures[0];
    expect(shown?.reason).toContain('\\n::error title=pwn::y\\r\\nok 99');
    expect(shown?.reason).toContain('\\u{202e}');
  });

  test('has no clock when asked to leave it out', () => {
    const report = aReport();
    const later = { ...report, timing: { ...report.timing, durationMs: 1 } };
    expect(renderHtml(report, TEMPLATE, { timing: false })).toBe(renderHtml(later, TEMPLATE, { timing: false }));
  });

  test('needs a page with a place for it', () => {
    expect(() => renderHtml(aReport(), '<html></html>')).toThrow('The page has no place for the data of the report.');
  });
});

describe('the size of the page', () => {
  const answer = '答え<'.repeat(100_000);
  const huge = aFailingScenario({
    failures: Array.from({ length: 10 }, (_, trial) =>
      aFailure({ trial, reason: answer, path: Array.from({ length: 10_000 }, (_, i) => `n${i}`) }),
    ),
  });

  test.each([
    ['answers of half a megabyte', Array.from({ length: 50 }, () => huge), 50],
    ['20,000 scenarios', Array.from({ length: 20_000 }, (_, i) => aScenario({}, { name: `scenario ${i}` })), 5000],
  ])('stays under 2 MB with %s', (_what, scenarios, fewest) => {
    const html = renderHtml(aReport({ scenarios }), TEMPLATE);
    expect(Buffer.byteLength(html)).toBeLessThan(2_000_000);
    const { leftOut, scenarios: shown } = read(aReport({ scenarios }));
    expect(leftOut + shown.length).toBe(scenarios.length);
    expect(shown.length).toBeGreaterThanOrEqual(fewest);
  });

  test('is shared between contracts and scenarios; what is red keeps its evidence longest', () => {
    const contract = (name: string, letter: string, severity: Severity): ContractReport =>
      aContract(
        {
          cells: Array.from({ length: 60 }, () => letter.repeat(30)),
          severities: Array.from({ length: 60 }, () => severity),
          evidence: { answer: '答え<'.repeat(1000) },
        },
        { name },
      );
    const contracts = [
      ...Array.from({ length: 20 }, (_, i) => contract(`calm ${i}`, 'p', 'low')),
      contract('red', 'f', 'critical'),
    ];
    const report = { ...aContractReport(...contracts), scenarios: [aFailingScenario()] };
    expect(Buffer.byteLength(renderHtml(report, TEMPLATE))).toBeLessThan(2_000_000);
    const data = read(report);
    expect(data.sections.length + data.moreSections).toBe(21);
    expect(data.sections.length).toBeGreaterThan(5);
    const [red] = data.sections.slice(-1);
    const matrix = red?.blocks.find((block) => block.type === 'matrix');
    expect(red?.name).toBe('red');
    const kept = matrix?.cells.filter(([, , , facts]) => facts !== null).length ?? 0;
    expect([kept > 0, kept < 1800]).toEqual([true, true]);
    expect(data.scenarios[0]?.detail?.failures).toHaveLength(1);
  });

  test('is spent on what failed first', () => {
    const scenarios = [...Array.from({ length: 20_000 }, () => aScenario()), aFailingScenario()];
    const last = read(aReport({ scenarios })).scenarios.at(-1);
    expect([last?.name, last?.detail?.failures.length]).toEqual(['classify', 1]);
  });
});

test('where no script may run, the page says the verdict with its reasons, as text', () => {
  const report = aHostileReport(HOSTILE);
  const html = renderHtml(report, `<noscript>No script.</noscript>${TEMPLATE}`);
  const [, shown = ''] = /<noscript>(.*)No script\.<\/noscript>/.exec(html) ?? [];
  expect(shown.replaceAll(/<\/?(?:h1|ul|li|p)>/g, '')).not.toMatch(/[<>"\u202e]/);
  expect(shown).toMatch(/^<h1>Gate failed<\/h1><ul><li>/);
});

test('a reason says what is wrong, and has the name of the row that it leads to, however long the name is', () => {
  const name = `task ${'that is never done '.repeat(40)}· agent`;
  const gate = {
    verdict: 'fail',
    minPassRate: null,
    reasons: [`${name}: pass rate 0.33 is below its bar 0.60.`],
    violations: [],
    expressions: [],
  } as const;
  const report = aReport({ scenarios: [{ ...aFailingScenario(), name }], gate });
  const { scenarios, reasons } = read(report);
  const shown = `${scenarios[0]?.name}: pass rate 0.33 is below its bar 0.60.`;
  expect(reasons).toEqual([shown]);
  expect(renderHtml(report, `<noscript></noscript>${TEMPLATE}`)).toContain(`<li>${shown}</li>`);
});

test('the view of a scenario whose trials are all the same one says so, and its case in JUnit', () => {
  const report = aReport({ scenarios: [{ ...aScenario(), constant: true }, aScenario()] });
  expect(read(report).scenarios.map(({ detail }) => detail?.constant)).toEqual([true, undefined]);
  expect(renderReport(report, { reporter: 'junit' }).match(/name="constant" value="true"/g)).toHaveLength(1);
});

test('the row of a failing scenario says why it failed', () => {
  const [failed, passed] = read(aReport({ scenarios: [aFailingScenario(), aScenario()] })).scenarios;
  expect([failed?.cause, passed?.cause]).toEqual([expect.stringMatching(/expected/), undefined]);
});

test('the band of a recorded set is the interval of its tasks, which the value lies in', () => {
  const runs = aScenario({ passed: 2, failed: 2 });
  const intervals = [[0.48, 0.52], [0.31, 0.36], null] as const;
  const recording = {
    passHatK: intervals.map((interval, at) => ({ k: at + 1, value: 0.5, interval, tasks: 9, dropped: 0 })),
  } as unknown as NonNullable<typeof runs.recording>;
  const values = [0.5, 0.33, 0.25].map((value, at) => ({ k: at + 1, value }));
  const { points, caption } = passCurve({ ...runs, recording, passHatK: values });
  expect(points).toEqual([
    [1, 0.5, 0.48, 0.52],
    [2, 0.33, 0.31, 0.36],
    [3, 0.25, null, null],
  ]);
  expect(caption).toContain('for tasks like these');
});
