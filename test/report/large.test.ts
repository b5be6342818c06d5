import { expect, test } from 'vitest';
import { displayWidth } from '../../src/text/display-width.ts';
import { renderText } from '../../src/report/text/render-text.ts';
import { aFailingScenario, aFailure, aFinding, aReport, aScenario } from './a-report.ts';

test('a suite of 200,000 scenarios is shown, folded and in full', () => {
  const scenario = aScenario();
  const scenarios = Array.from({ length: 200_000 }, () => scenario);
  const report = aReport({ scenarios });
  expect(renderText(report).split('\n')[0]).toBe('✓ pass   corpus/conformance/  200,000 scenarios, 1,600,000 trials');
  expect(renderText(report, { verbose: true, columns: 120 }).split('\n').length).toBeGreaterThan(200_000);
});

test('answers of a megabyte and walks of many steps stay a few lines', () => {
  const answer = '答え '.repeat(350_000);
  const failure = aFailure({
    findings: [aFinding({ got: answer, message: `last_node: expected done, got ${answer}` })],
    path: Array.from({ length: 10_000 }, (_, i) => `n${i}`),
    reason: answer,
  });
  const lines = renderText(aReport({ scenarios: [aFailingScenario({ failures: [failure] })] })).split('\n');
  expect(lines.length).toBeLessThan(60);
  for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(80);
});
