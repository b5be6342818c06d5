import { describe, expect, test } from 'vitest';
import { builtinReporters } from '../../src/report/builtin.ts';
import type { Reporter } from '../../src/report/reporter.ts';
import { parseReporters } from '../../src/report/parse-reporters.ts';
import { renderReports } from '../../src/report/render-reports.ts';
import type { RenderOptions } from '../../src/types/render-options.ts';
import { aReport } from './a-report.ts';

const options: RenderOptions = {
  columns: 100,
  color: true,
  unicode: false,
  verbose: true,
  quiet: false,
  timing: true,
};

function aReporter(type: string, render: Reporter['render'] = () => type): Reporter {
  return { kind: 'reporter', type, summary: type, render };
}

describe('all reporters', () => {
  test('are these', () => {
    expect(builtinReporters.map(({ type }) => type)).toEqual([
      'text',
      'json',
      'reference-json',
      'ndjson',
      'junit',
      'otlp',
      'tap',
      'markdown',
      'github',
      'inspect',
      'atif',
    ]);
  });

  test('give the same text for the same report, with a newline at its end', () => {
    for (const { render } of builtinReporters) {
      const text = render(aReport(), options);
      expect(text).toBe(render(aReport(), options));
      expect(text.endsWith('\n')).toBe(true);
    }
  });
});

describe('several reporters', () => {
  test('finish although one of them breaks, which is named', () => {
    const cause = new Error('no ink');
    const broken = aReporter('broken', () => {
      throw cause;
    });
    const requests = [
      { reporter: aReporter('one'), path: null },
      { reporter: broken, path: 'b.txt' },
      { reporter: aReporter('two'), path: 'two.txt' },
    ];
    expect(renderReports(aReport(), requests, options)).toEqual({
      outgoing: [],
      reports: [
        { name: 'one', path: null, bytes: new TextEncoder().encode('one'), escapes: false },
        { name: 'two', path: 'two.txt', bytes: new TextEncoder().encode('two'), escapes: false },
      ],
      folders: [],
      broken: [{ name: 'broken', path: 'b.txt', cause }],
    });
  });

  test('are broken when they give something else than text', () => {
    const silent = aReporter('silent', () => undefined as unknown as string);
    const { reports, broken } = renderReports(aReport(), [{ reporter: silent, path: null }], options);
    expect([reports, broken.map(({ cause }) => String(cause))]).toEqual([
      [],
      ['TypeError: It gave undefined instead of text.'],
    ]);
  });

  test('write folders of files whose names are no paths and differ', () => {
    const filed = (...names: readonly unknown[]): readonly [number, string] => {
      const files = names.map((name) => ({ name: name as string, text: 'é' }));
      const reporter = { ...aReporter('filed'), files: () => files };
      const { folders, broken } = renderReports(aReport(), [{ reporter, path: 'out' }], options);
      return [folders[0]?.files.length ?? 0, String(broken[0]?.cause ?? '')];
    };
    expect(filed('a.json', 'b')).toEqual([2, '']);
    expect(filed()).toEqual([0, '']);
    for (const name of ['', '.', '..', '../a', 'a/b', 'a\\b', '.a', 'a.', 'nul.json', 'a\0', 'ä', 'a'.repeat(201), 7]) {
      expect(filed(name)[1]).toContain('It gave a file the name');
    }
    expect(filed('a', 'A')).toEqual([0, 'Error: It gave two files the name "A".']);
    const broken = { ...aReporter('broken'), files: () => 'text' as unknown as [] };
    expect(String(renderReports(aReport(), [{ reporter: broken, path: 'out' }], options).broken[0]?.cause)).toBe(
      'TypeError: It gave string instead of files.',
    );
  });

  test('write to files without colours and in UTF-8', () => {
    const seen: RenderOptions[] = [];
    const curious = aReporter('curious', (_report, given) => {
      seen.push(given);
      return '';
    });
    const requests = [null, 'out.txt'].map((path) => ({ reporter: curious, path }));
    renderReports(aReport(), requests, options);
    expect(seen).toEqual([options, { ...options, color: false, unicode: true, columns: 80 }]);
  });
});

describe('reporters on the command line', () => {
  const known = [aReporter('text'), aReporter('json')];

  test('are names with an optional path, which may hold colons', () => {
    expect(parseReporters(['text', 'json:C:\\out\\run.json'], known)).toEqual([
      { reporter: known[0], path: null },
      { reporter: known[1], path: 'C:\\out\\run.json' },
    ]);
  });

  test('that write a folder need a path', () => {
    const folder = { ...aReporter('filed'), files: () => [] };
    expect(parseReporters(['filed:out'], [folder])).toEqual([{ reporter: folder, path: 'out' }]);
    expect(() => parseReporters(['filed'], [folder])).toThrow(
      expect.objectContaining({
        code: 'USAGE',
        message: 'Reporter "filed" writes a folder, so it cannot use standard output.',
        hint: 'Write --reporter filed:FOLDER.',
      }),
    );
  });

  test.each([
    [['jsn'], 'There is no reporter "jsn".', 'Known reporters: text, json.'],
    [
      ['json:'],
      'Reporter "json" has no path after its colon.',
      'Write --reporter json:PATH, or --reporter json for standard output.',
    ],
    [
      ['text', 'json'],
      'Reporters "text" and "json" both write to standard output.',
      'Give one of them a file of its own: --reporter json:PATH.',
    ],
    [
      ['text:a', 'json:a'],
      'Reporters "text" and "json" both write to "a".',
      'Give one of them a file of its own: --reporter json:PATH.',
    ],
  ])('%j cannot be used', (words, message, hint) => {
    expect(() => parseReporters(words, known)).toThrow(expect.objectContaining({ code: 'USAGE', message, hint }));
  });
});
