import { describe, expect, test } from 'vitest';
import { builtinReporters } from '../../src/report/builtin.ts';
import type { RenderOptions } from '../../src/types/render-options.ts';
import { processorMs } from '../support/processor-time.ts';
import { aLargeReport, REPORT_CASES } from './report-cases.ts';

const options: RenderOptions = {
  columns: 80,
  color: false,
  unicode: true,
  verbose: false,
  quiet: false,
  timing: true,
};

const EXTENSIONS = {
  junit: 'xml',
  tap: 'tap',
  markdown: 'md',
  github: 'txt',
  ndjson: 'ndjson',
  otlp: 'jsonl',
} as const;

function rendererOf(type: string): (typeof builtinReporters)[number]['render'] {
  const reporter = builtinReporters.find((candidate) => candidate.type === type);
  if (reporter === undefined) throw new Error(`There is no reporter ${type}.`);
  return reporter.render;
}

describe.each(Object.entries(EXTENSIONS))('%s', (type, extension) => {
  const render = rendererOf(type);

  test.each(Object.entries(REPORT_CASES))('shows the case "%s" in exactly these words', async (name, report) => {
    await expect(render(report, options)).toMatchFileSnapshot(`./fixtures/golden/${type}/${name}.${extension}`);
  });

  test('leaves out every clock when asked to', () => {
    const report = REPORT_CASES['passed'];
    if (report === undefined) throw new Error('The case is missing.');
    const later = { ...report, timing: { ...report.timing, startedAt: '2001-01-01T00:00:00.000Z', durationMs: 1 } };
    const lasting = { ...options, timing: false };
    expect(render(later, lasting)).toBe(render(report, lasting));
  });

  test('takes processor time in proportion to the number of scenarios', () => {
    const [small, large] = [aLargeReport(500), aLargeReport(4000)];
    render(small, options);
    // Eight times the scenarios; a square law would take 64 times as long.
    expect(fastest(() => render(large, options))).toBeLessThan(25 * fastest(() => render(small, options)) + 20);
  });
});

/** Milliseconds of processor time of the fastest of three runs: other work of this process may be under way. */
function fastest(action: () => void): number {
  const times = [1, 2, 3].map(() => {
    const start = processorMs();
    action();
    return processorMs() - start;
  });
  return Math.min(...times);
}
