import { describe, expect, test } from 'vitest';
import { scenarioTable } from '../../src/report/sections/scenario-table.ts';
import { tableBlocks } from '../../src/report/sections/markdown-table.ts';
import { tableLines } from '../../src/report/text/render-text.ts';
import { PLAIN_OPTIONS } from '../../src/report/plain-options.ts';
import { textStyle } from '../../src/report/text/text-style.ts';
import { aFailingScenario, aLoadError, anExactScenario, anIdleScenario, aScenario } from './a-report.ts';

const SCENARIOS = [
  aScenario(),
  aFailingScenario(),
  aScenario({ passed: 6, broken: 2 }, { name: 'crashing' }),
  aLoadError(),
  anIdleScenario({}, { name: 'idle' }),
  anExactScenario({}, { name: 'endless', verdict: 'failed', exact: null }),
  aScenario({ passed: 3, requested: 8 }, { name: 'cut off', verdict: 'failed' }),
];

describe('the table of scenarios', () => {
  const table = scenarioTable(SCENARIOS, false);

  test('says of each how it did, and why one has no numbers', () => {
    expect(table.rows.map(({ name, mark, isTrouble, why }) => [name, mark.word, isTrouble, why])).toEqual([
      ['llm-route', 'pass', false, ''],
      ['classify', 'FAIL', true, ''],
      ['crashing', 'broken', true, ''],
      ['corpus/broken.toml', 'error', true, 'did not load: 1 problem'],
      ['idle', 'skip', false, 'did not run'],
      ['endless', 'broken', true, 'could not be enumerated'],
      ['cut off', 'FAIL', true, ''],
    ]);
  });

  test('gives names that would be shortened alike a line of their own', () => {
    const names = ['a', 'b', 'c'].map((middle) => `answers: [case=${middle}${'x'.repeat(20)}, model=small]`);
    const scenarios = [...names, `other ${'y'.repeat(80)}`].map((name) => aScenario({}, { name }));
    const lines = tableLines(scenarioTable(scenarios, false), textStyle({ ...PLAIN_OPTIONS, columns: 70 }));
    for (const name of names) {
      const at = lines.indexOf(`✓ pass   ${name}`);
      expect(at).toBeGreaterThan(0);
      expect(lines[at + 1]).toMatch(/^ {10,}\S*\d/);
    }
    expect(lines.filter((line) => /other.*\d/.test(line))).toHaveLength(1);
  });

  test('gives names in full, over several lines, that a line of their own would still shorten alike', () => {
    const shop = 'shop under attack: when the brakes are ready';
    const names = ['sound', 'gullible'].map((agent) => `${shop} · ${agent} · attacked: a refund nobody asked for`);
    const scenarios = names.map((name) => aScenario({}, { name }));
    const lines = tableLines(scenarioTable(scenarios, false), textStyle({ ...PLAIN_OPTIONS, columns: 60 }));
    const text = lines.slice(1).join(' ').replace(/\s+/g, ' ');
    for (const name of names) expect(text).toContain(`✓ pass ${name} 8/8`);
    expect(lines.filter((line) => line.length > 60)).toEqual([]);
  });

  test('has the same rows in text and in Markdown', () => {
    const style = textStyle({ ...PLAIN_OPTIONS, columns: 120 });
    const lines = tableLines(table, style).filter((line) => !line.startsWith('     '));
    const [head = '', ...rows] = tableBlocks(table).join('').trim().split('\n').slice(1);
    expect(head).toMatch(/^\|---\|---\|/);
    expect(rows).toHaveLength(lines.length);
    for (const [at, { name, cells, why }] of table.rows.entries()) {
      for (const text of [name, ...(cells ?? [why])]) {
        expect(lines[at]).toContain(text);
        expect(rows[at]).toContain(text);
      }
    }
  });
});
