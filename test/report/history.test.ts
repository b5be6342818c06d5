import { expect, test } from 'vitest';
import { historyTrends } from '../../src/baseline/history-trends.ts';
import { renderHistory } from '../../src/report/render-history.ts';
import { aHistoryRun, aKeptScenario, kept } from '../baseline/a-history.ts';

test('names that differ at their end are told apart', () => {
  const scenarios = ['tool-request', 'system-role'].map((id) =>
    aKeptScenario({ name: `anthropic: anthropic/claude-sonnet-4-5-20250929: ${id}` }),
  );
  const runs = [1, 2].map((day) => kept(aHistoryRun(day, scenarios)));
  expect(renderHistory(historyTrends(runs), { columns: 80 })).toMatchInlineSnapshot(`
    "  scenario                                  pass rate  last               tokens
    ✓ anthropic: anthropic…50929: tool-request  ▇▇         0.90 [0.60, 0.98]     100
        2 runs · first 2026-01-01
    ✓ anthropic: anthropic…250929: system-role  ▇▇         0.90 [0.60, 0.98]     100
        2 runs · first 2026-01-01
    "
  `);
});
