import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { runSuite } from '../../src/index.ts';
import { plainText } from '../../src/report/plain-text.ts';
import { passkReporters } from '../../src/suite/passk-reporters.ts';
import type { RenderOptions } from '../../src/types/render-options.ts';
import type { SuiteReport } from '../../src/types/reports/report.ts';
import { aRouter } from '../suite/scenarios.ts';
import { aHostileReport, withHostilePanels } from './report-cases.ts';

const OPTIONS: RenderOptions = {
  columns: 4000,
  color: false,
  unicode: true,
  verbose: true,
  quiet: false,
  timing: false,
};

/** What a terminal or a CI log would obey, hide or reorder; lines may end. */
const UNSAFE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\p{Cs}]/u;

/** Parts that mean something to some reader of some format. */
const PARTS = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  ']]>',
  '<!--',
  '&lt;',
  '\u001b[2J\u001b[31m',
  '\u009b31m',
  '\u001b]8;;https://evil.example\u0007click\u001b]8;;\u0007',
  '\u202e',
  '\u200b',
  '\u0000',
  '\r',
  '\n',
  '\n::error::x\n',
  '::set-output name=a::b',
  '%0A::error::y',
  '|',
  '`',
  '```',
  '~~~',
  '\n# h\n',
  '[a](javascript:alert(1))',
  '@octocat',
  '\nok 1 - x # SKIP',
  '\nBail out!',
  '\n---\n',
  '"',
  "'",
  '\\',
  '{{7*7}}',
  '\ud800',
  '\ufffe',
  'é',
  '答',
  '😀',
  'a b',
  'data:text/html;base64,PHNjcmlwdD4=',
  'https://user:hunter22@host.example/x',
] as const;
const hostile = fc
  .array(fc.oneof(fc.constantFrom(...PARTS), fc.string({ unit: 'binary', maxLength: 5 })), {
    minLength: 1,
    maxLength: 6,
  })
  .map((parts) => `v${parts.join('')}v`);

function rendered(type: string, report: SuiteReport): string {
  const reporter = passkReporters.find((one) => one.type === type);
  if (reporter === undefined) throw new Error(`There is no reporter ${type}.`);
  return reporter.render(report, OPTIONS);
}

/** How a consumer of each format reads the first scenario's name back; undefined: as it stands in `names`. */
const NAMES_READ: Readonly<Record<string, (output: string) => readonly unknown[]>> = {
  json: (output) => scenarioNames(JSON.parse(output)),
  'reference-json': (output) => scenarioNames(JSON.parse(output)),
  ndjson: (output) =>
    output
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { readonly kind: string; readonly report?: { readonly name?: unknown } })
      .flatMap(({ kind, report }) => (kind === 'scenario' ? [report?.name] : [])),
  html: (output) => {
    const data = /<script[^>]*type="application\/json"[^>]*>([^<]*)<\/script>/.exec(output)?.[1] ?? 'null';
    return scenarioNames(JSON.parse(data));
  },
};

function scenarioNames(value: unknown): readonly unknown[] {
  return (value as { readonly scenarios: readonly { readonly name: unknown }[] }).scenarios.map(({ name }) => name);
}

describe('whatever models and tools said', () => {
  test.each(Object.keys(NAMES_READ))('%s holds it as data', (type) => {
    fc.assert(
      fc.property(hostile, (text) => {
        const output = rendered(type, aHostileReport(text));
        const [name] = NAMES_READ[type]?.(output) ?? [];
        const exact = JSON.parse(JSON.stringify(text)) as unknown;
        expect(type === 'html' ? [plainText(text)] : [exact, plainText(text)]).toContain(name);
      }),
      { numRuns: type === 'html' ? 40 : 150 },
    );
  });

  test('no reporter lets a character out that a terminal would obey, hide or reorder', () => {
    const texts = passkReporters.map(({ type }) => type).filter((type) => type !== 'html');
    fc.assert(
      fc.property(hostile, fc.constantFrom(...texts), (text, type) => {
        const output = rendered(type, withHostilePanels(text));
        expect(output).not.toMatch(UNSAFE);
      }),
      { numRuns: 300 },
    );
  });

  test('a password in a URL is starred out', () => {
    expect(plainText('see https://user:hunter2@host.example/x')).toBe('see https://************@host.example/x');
  });

  test('the terminal shows its shortened form in one line', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(rendered('text', aHostileReport(text))).toContain(plainText(text, 200).slice(0, 30).trimEnd());
      }),
      { numRuns: 200 },
    );
  });
});

const IMAGE = `data:image/png;base64,${'QUJD'.repeat(100_000)}`;
const LONG = 'long answer '.repeat(80_000);

describe('a value of almost a mebibyte', () => {
  let report: SuiteReport;
  beforeAll(async () => {
    report = await runSuite({
      scenarios: [IMAGE, LONG].map((content, index) =>
        aRouter({
          name: `long ${index}`,
          trials: 3,
          intel: { turns: [{ variants: [{ content: JSON.stringify({ way: content }) }] }] },
          expected: { lastNode: 'done', values: [{ node: 'ask', path: 'parsed.way', equals: IMAGE.slice(1) }] },
        }),
      ),
      workers: 0,
    });
    expect(report.summary.trials.failed).toBe(6);
  });

  test.each(passkReporters.map(({ type }) => type).filter((type) => type !== 'html'))('is shortened by %s', (type) => {
    const output = rendered(type, report);
    const longest = Math.max(...output.split('\n').map((line) => line.length));
    expect(longest).toBeLessThan(40_000);
    expect(output.length).toBeLessThan(120_000);
  });

  test.each(['text', 'junit', 'tap', 'markdown', 'github'])(
    'is shortened by %s also where a report carries it',
    (type) => {
      for (const text of [IMAGE, LONG]) {
        const longest = Math.max(
          ...rendered(type, aHostileReport(text))
            .split('\n')
            .map((line) => line.length),
        );
        expect(longest).toBeLessThan(40_000);
      }
    },
  );

  test('adds little to the page', () => {
    const empty = rendered('html', { ...report, scenarios: [] }).length;
    expect(rendered('html', report).length - empty).toBeLessThan(120_000);
  });
});
