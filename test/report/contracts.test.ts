import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { Compile } from 'typebox/schema';
import { afterAll, describe, expect, test } from 'vitest';
import { builtinReporters } from '../../src/report/builtin.ts';
import { formatScore, overallParts } from '../../src/report/words/contract-texts.ts';
import { displayWidth, shortenMiddle } from '../../src/text/display-width.ts';
import { PLAIN_OPTIONS } from '../../src/report/plain-options.ts';
import { renderJson } from '../../src/report/render-json.ts';
import { renderMarkdown } from '../../src/report/render-markdown.ts';
import { renderTap } from '../../src/report/ci/render-tap.ts';
import { renderText } from '../../src/report/text/render-text.ts';
import { reportSchema } from '../../src/report/report-schema.ts';
import { readReport } from '../../src/suite/read-report.ts';
import type { RenderOptions } from '../../src/types/render-options.ts';
import type { SuiteReport } from '../../src/types/reports/report.ts';
import { aContract, aContractReport, aFinanceContract, aSquareContract, aWideContract } from './a-contract.ts';
import { aFailingScenario, aFailure, aReport, aScenario } from './a-report.ts';
import { aHostileReport, HOSTILE, REPORT_CASES } from './report-cases.ts';

const options: RenderOptions = { ...PLAIN_OPTIONS, timing: false };

const SHOWN: Readonly<Record<string, readonly [SuiteReport, Partial<RenderOptions>]>> = {
  'one-cell': [aContractReport(aContract({ cells: ['p'] })), {}],
  'three-by-three': [aContractReport(aFinanceContract()), {}],
  'a-thousand-trials': [aContractReport(aFinanceContract(1000)), { columns: 120 }],
  'ten-by-ten': [aContractReport(aSquareContract()), {}],
  'forty-columns': [aContractReport(aWideContract()), { columns: 100 }],
  'forty-columns-passed': [
    aContractReport(aContract({ cells: ['p'.repeat(40)] }, { name: 'wide and well' }), aContract({ cells: ['pp'] })),
    {},
  ],
  narrow: [aContractReport(aFinanceContract(20)), { columns: 40 }],
  'narrow-ten-by-ten': [aContractReport(aSquareContract()), { columns: 40 }],
  ascii: [aContractReport(aFinanceContract()), { unicode: false }],
  quiet: [aContractReport(aContract({ cells: ['pp'] }), aFinanceContract()), { quiet: true }],
  undecided: [REPORT_CASES['contract-open'] ?? aReport(), {}],
  overall: [
    {
      ...aContractReport(aFinanceContract(), aContract({ cells: ['p'] }, { name: 'all prompts', phase: 'prompts' })),
      overall: {
        score: 0.8,
        phases: [{ phase: 'contract', score: 0.8, weight: 0.35, share: 1 }],
        notRun: ['`mutations` of contracts/finance.yaml are not run: passk has no model that writes prompts.'],
      },
    },
    {},
  ],
};

describe('the text report of contracts', () => {
  test.each(Object.entries(SHOWN))('shows "%s" in exactly these words', async (name, [report, overrides]) => {
    const text = renderText(report, { ...options, ...overrides });
    await expect(text).toMatchFileSnapshot(`./fixtures/golden/contracts/${name}.txt`);
    const widest = Math.max(40, overrides.columns ?? options.columns);
    // A command to copy is never cut.
    const lines = text.split('\n').filter((line) => !/^ +(show|--only) /.test(line));
    expect(lines.filter((line) => displayWidth(line) > widest)).toEqual([]);
  });

  test('says the same without colour as with it', () => {
    for (const contract of [aFinanceContract(), aSquareContract(), aWideContract()]) {
      const report = aContractReport(contract);
      const painted = renderText(report, { ...options, color: true });
      expect(painted).not.toBe(renderText(report, options));
      expect(stripVTControlCharacters(painted)).toBe(renderText(report, options));
    }
  });

  test.each(['text', 'markdown', 'junit', 'tap'])('says each reason of a verdict once: %s', (type) => {
    const why = 'never fired: chaos-1 fault';
    const open = aContract({ cells: ['bn'] });
    const cells = open.cells.map((cell) => (cell.state === 'inconclusive' ? { ...cell, why } : cell));
    const reasons = ['1 critical cell proved nothing: rule-1 in chaos-1.', `No cell was judged: ${why}.`];
    const report = aContractReport({ ...open, cells, verdict: 'insufficient', reasons });
    const text = builtinReporters.find((one) => one.type === type)?.render(report, { ...options, columns: 160 }) ?? '';
    expect(reasons.map((reason) => text.split(reason).length - 1)).toEqual([1, 1]);
    // Lists of tests say it at the cell as well.
    if (type === 'text' || type === 'markdown') expect(text.split(why).length - 1).toBe(1);
  });

  test('tells the states of cells apart by their sign alone, in ASCII too', () => {
    const report = aContractReport(aContract({ cells: ['pfnib'], columns: ['a', 'b', 'c', 'd', 'e'] }));
    const row = (unicode: boolean): string | undefined =>
      renderText(report, { ...options, unicode, columns: 70 })
        .split('\n')
        .find((line) => line.includes('medium'));
    expect(row(true)).toBe('  medium    rule-1  ✓ 1/1  ✗ 0/1  · n/a  ? 0 struck  ! broken');
    expect(row(false)).toBe('  medium    rule-1  + 1/1  x 0/1  - n/a  ? 0 struck  ! broken');
  });

  test('shows at most ten red cells, the weightiest first, and all of them when asked to', () => {
    const contract = aContract({
      cells: ['f'.repeat(8), 'f'.repeat(8)],
      ids: ['light', 'heavy'],
      severities: ['low', 'critical'],
    });
    const titles = (verbose: boolean): readonly (string | undefined)[] =>
      [...renderText(aContractReport(contract), { ...options, verbose }).matchAll(/^ {2}✗ (\S+) under/gm)].map(
        (match) => match[1],
      );
    expect(titles(false)).toEqual([...Array.from({ length: 8 }, () => 'heavy'), 'light', 'light']);
    expect(titles(true)).toHaveLength(16);
  });

  test('holds no character that a terminal obeys, hides or reorders', () => {
    const text = renderText(aHostileReport(HOSTILE), { ...options, verbose: true });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b\u202a-\u202e\u2066-\u2069]/);
    expect(text).toContain('answer  </failure>]]>&amp;<img src=x onerror=alert(1)>');
  });
});

describe('the JSON report of contracts', () => {
  const fired = ['market_data_api error'];
  const full: SuiteReport = {
    ...aContractReport(aFinanceContract(1000), aSquareContract(), aWideContract()),
    scenarios: [
      aScenario({}, { chaos: [{ fault: 'market_data_api error', kind: 'tool', fired: 8, trials: 8 }] }),
      aFailingScenario({ failures: [aFailure({ fired })] }),
    ],
    overall: {
      score: 0.62,
      phases: [
        { phase: 'contract', score: 0.8, weight: 0.35, share: 0.5 },
        { phase: 'chaos', score: 0.44, weight: 0.35, share: 0.5 },
      ],
      notRun: ['`replays` are not run.'],
    },
  };
  const folder = mkdtempSync(path.join(os.tmpdir(), 'passk-contracts-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('is described by the schema, and is the report', () => {
    const value: unknown = JSON.parse(renderJson(full, { timing: true }));
    expect(Compile(reportSchema).Errors(value)[1]).toEqual([]);
    expect(value).toEqual(full);
  });

  test('is read back by whoever opens reports', async () => {
    for (const report of [full, ...Object.values(REPORT_CASES)]) {
      writeFileSync(path.join(folder, 'report.json'), renderJson(report, { timing: true }));
      // Lone surrogates do not survive a file.
      const written = JSON.parse(renderJson(report, { timing: true })) as SuiteReport;
      expect(await readReport('report.json', { cwd: folder })).toEqual(written);
    }
  });

  test('has no other states, severities or keys', () => {
    const schema = Compile(reportSchema);
    const [contract = aFinanceContract()] = full.results.filter((one) => one.kind === 'contract');
    const [cell] = contract.cells;
    const broken = [
      { ...contract, more: 1 },
      { ...contract, score: 101 },
      { ...contract, verdict: 'fine' },
      { ...contract, cells: [{ ...cell, state: 'unsure' }] },
      { ...contract, cells: [{ ...cell, interval: [0.5] }] },
      { ...contract, invariants: [{ ...contract.invariants[0], severity: 'dire' }] },
    ];
    expect(schema.Check(full)).toBe(true);
    expect(broken.map((one) => schema.Check({ ...full, results: [one] }))).toEqual(broken.map(() => false));
  });
});

test('the overall score is in Markdown and TAP too', () => {
  const [report = aReport()] = SHOWN['overall'] ?? [];
  const said = 'score 80 %, contract 80 % (share 100 %)';
  expect(renderMarkdown(report, options)).toContain(` · overall ${said} · `);
  expect(renderTap(report, options)).toContain(`\n# overall: ${said}\n`);
});

describe('a score', () => {
  test.each([
    [100, '100 %'],
    [85.714_285, '85.71 %'],
    [80, '80 %'],
    [62.5, '62.5 %'],
    [0, '0 %'],
    [99.9999, '99.9999 %'],
    [0.001, '0.001 %'],
  ])('of %f is written %s', (score, text) => {
    expect(formatScore(score)).toBe(text);
  });

  test('of all phases names what each counts', () => {
    const phases = [
      { phase: 'contract', score: 1, weight: 0.35, share: 0.5 },
      { phase: 'chaos', score: 0.5, weight: 0.35, share: 0.5 },
    ] as const;
    expect(overallParts({ ...aReport(), overall: { score: 0.75, phases, notRun: [] } })).toEqual([
      'score 75 %',
      'contract 100 % (share 50 %)',
      'chaos 50 % (share 50 %)',
    ]);
    expect(overallParts({ ...aReport(), overall: { score: null, phases: [], notRun: [] } })).toEqual([
      'no phase was scored',
    ]);
  });
});

test('a name shortened in its middle fits, and keeps its start and its end', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.integer({ min: 5, max: 30 }), (text, width) => {
      const short = shortenMiddle(text, width);
      expect(displayWidth(short)).toBeLessThanOrEqual(width);
      if (short === text) return;
      const [start = '', end = ''] = short.split('…');
      expect([text.startsWith(start), text.endsWith(end)]).toEqual([true, true]);
    }),
  );
  expect(shortenMiddle('never-fabricate-when-tools-fail', 20)).toBe('never-fabr…ools-fail');
});
