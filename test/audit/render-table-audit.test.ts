import { expect, test } from 'vitest';
import { renderTableAudit } from '../../src/audit/render-table-audit.ts';
import { type AuditedRow, TABLE_AUDIT_SCHEMA, type TableAudit } from '../../src/types/audit/table-audit.ts';
import { displayWidth } from '../../src/text/display-width.ts';
import { auditText } from './a-table.ts';

function anAudit(text: string): TableAudit {
  const { rows, twins } = auditText(text);
  const count = (verdict: AuditedRow['verdict']): number => rows.filter((row) => row.verdict === verdict).length;
  const summary = {
    rows: rows.length,
    unique: count('unique'),
    ambiguous: count('ambiguous'),
    impossible: count('impossible'),
    incomplete: count('incomplete'),
    undecided: count('undecided'),
  };
  return { schema: TABLE_AUDIT_SCHEMA, passk: '0.0.0', summary, rows, twins };
}

const HEAD = 'name,domain,tasks,pass^1,pass^2,pass^3,pass^4';
const MIXED = [
  HEAD,
  'glm,airline,50,82.50,76.00,72.00,70.00',
  'a copy of glm,airline,50,82.5,76,72,70.00',
  'coarse,retail,500,50.0,33.3,25.0,20.0',
  ',,114,73.68,60.38,51.10,44.00',
  'short,retail,,73.68,,51.10,43.86',
].join('\n');

test('each verdict says what it rests on', () => {
  expect(renderTableAudit(anAudit(MIXED))).toMatchInlineSnapshot(`
    "            row                     tasks x trials
    possible    glm, airline            50 x 4
                tasks with 0 to 4 successes: 4, 1, 6, 4, 35
                165 of 200 trials passed; 35 tasks always solved, 4 never
                pass^1 0.825 (se 0.044) [0.736, 0.914],
                pass^2 0.760 (se 0.055) [0.650, 0.870],
                pass^3 0.720 (se 0.062) [0.596, 0.844],
                pass^4 0.700 (se 0.065) [0.568, 0.832]
    ambiguous   a copy of glm, airline  50 x 4
                6 histograms; tasks with 0 to 4 successes: 2-4, 0-6, 2-8, 3-5, 35
                if 82.5 has lost zeros at its end, say so: --decimals 2
    ambiguous   coarse, retail          500 x 4
                27 histograms; tasks with 0 to 4 successes: 96-102, 96-108, 95-103,
                99-101, 100
    impossible  line 5                  114 x 4
                no histogram gives 73.68, 60.38, 51.10, 44.00 (a.csv:5)
                pass^4 = 44.00 is no mean over 114 tasks of 4 trials
                possible without pass^4, which would be 42.11, 42.98, 43.86, 44.74
                or 45.61
    incomplete  short, retail           ? x 4
                tasks and pass^2 are missing

    5 rows: 1 possible in one way, 2 possible in several ways, 1 impossible, 1
    incomplete
    twins, with the same values: glm, airline (a.csv:2) and a copy of glm, airline
    (a.csv:3)
    se: standard error clustered by task; in brackets the 95 % interval, for tasks
    like these
    tasks that are always solved may need no work: try an agent that does nothing on
    them
    "
  `);
});

test('a narrow terminal without Unicode gets lines that fit, in ASCII', () => {
  const text = renderTableAudit(anAudit(MIXED.replace('coarse', `${'wide 😀 '.repeat(20)}`)), {
    columns: 40,
    unicode: false,
  });
  expect(text.split('\n').filter((line) => displayWidth(line) > 40)).toEqual([]);
  expect(text).toMatch(/^[\n\x20-\x7e]*$/);
});

test('colours are those of verdicts, and names bring none of their own', () => {
  const text = renderTableAudit(anAudit(`${HEAD}\n\u001b[31mred,x,50,82.50,76.00,72.00,70.00`), { color: true });
  expect(text).toContain('\u001b[32mpossible    \u001b[39m\\u{1b}[31mred');
  expect(text).not.toContain('\u001b[31m');
});

test('tasks that a benchmark is known for are named as such', () => {
  const text = renderTableAudit(
    anAudit(
      '{"model_name": "m", "results": {"retail": {"pass_1": 100, "pass_2": 100, "pass_3": 100, "pass_4": 100.0}}}',
    ),
  );
  expect(text).toContain('tasks that the files do not say, as tau2-bench has them: retail 114\n');
});
