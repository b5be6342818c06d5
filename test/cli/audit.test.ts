import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { SetAudit, TableAudit } from '../../src/index.ts';
import { aFolder, type Ended, runPassk } from './run-passk.ts';

const HEAD = 'name,domain,tasks,pass^1,pass^2,pass^3,pass^4\n';
const POSSIBLE = 'glm,airline,50,82.5,76.0,72.0,70.0\n';
const IMPOSSIBLE = 'glm,banking_knowledge,97,9.79,7.22,5.67,3.09\n';

async function audit(rows: string, ...flags: readonly string[]): Promise<Ended> {
  const cwd = aFolder();
  writeFileSync(path.join(cwd, 'results.csv'), HEAD + rows);
  return runPassk(['audit', 'table', 'results.csv', ...flags], { cwd });
}

test('a table is printed with its histograms, and the exit code is that of its worst row', async () => {
  const { status, stdout, stderr } = await audit(POSSIBLE + IMPOSSIBLE);
  expect([status, stderr]).toEqual([1, '']);
  expect(stdout.split('\n').slice(0, 12)).toEqual([
    '            row                     tasks x trials',
    'possible    glm, airline            50 x 4',
    '            tasks with 0 to 4 successes: 4, 1, 6, 4, 35',
    '            165 of 200 trials passed; 35 tasks always solved, 4 never',
    '            pass^1 0.825 (se 0.044) [0.736, 0.914],',
    '            pass^2 0.760 (se 0.055) [0.650, 0.870],',
    '            pass^3 0.720 (se 0.062) [0.596, 0.844],',
    '            pass^4 0.700 (se 0.065) [0.568, 0.832]',
    'impossible  glm, banking_knowledge  97 x 4',
    '            no histogram gives 9.79, 7.22, 5.67, 3.09 (results.csv:3)',
    '            possible without pass^3, which would be 5.15; or without pass^4,',
    '            which would be 4.12 or 5.15',
  ]);
});

test('the exit code says possible, undecided or unusable, too', async () => {
  expect((await audit(POSSIBLE)).status).toBe(0);
  expect((await audit('x,y,,82.5,76.0,72.0,70.0\n')).status).toBe(3);
  expect((await audit('x,y,50,82.5,76.0,72.0,-1\n')).status).toBe(2);
});

test('flags say what a table does not', async () => {
  const text = await audit('x,y,,82.5,76,72,70\n', '--tasks', '7', '--tasks', 'y=50', '--decimals', '1', '--json');
  const { rows, summary } = JSON.parse(text.stdout) as TableAudit;
  expect([text.status, summary.unique, rows[0]?.tasks]).toEqual([0, 1, { count: 50, from: 'option' }]);
  const scaled = await audit('x,y,10,0.5,0.5,0.5,0.5\n', '--scale', 'percent', '--json');
  expect((JSON.parse(scaled.stdout) as TableAudit).rows[0]?.scale).toBe('percent');
  // Half of eight trials cannot have gone so.
  const eight = await audit(POSSIBLE, '--trials', '8', '--json');
  expect([eight.status, (JSON.parse(eight.stdout) as TableAudit).rows[0]?.missing]).toEqual([
    1,
    ['pass^5', 'pass^6', 'pass^7', 'pass^8'],
  ]);
});

test('what a flag cannot be is told, with the flags of the command', async () => {
  const { status, stdout, stderr } = await audit(POSSIBLE, '--tasks', 'airline=many');
  expect([status, stdout]).toEqual([2, '']);
  expect(stderr).toContain('Expected a whole number from 1, or a domain with one: retail=114.');
  expect((await audit(POSSIBLE, '--tasks', '=5')).status).toBe(2);
  expect((await audit(POSSIBLE, '--scale', 'both')).status).toBe(2);
  expect((await audit(POSSIBLE, '--trials', '0')).status).toBe(2);
  expect((await audit(POSSIBLE, '--tasks', 'retail=5')).stderr).toContain('No row is of the domain "retail".');
});

test('problems of a table are shown where they are, and nothing is judged', async () => {
  const { status, stdout, stderr } = await audit(`${POSSIBLE}x,y,ten,"82,5",76,72,70\n`);
  expect([status, stdout]).toEqual([2, '']);
  expect(stderr).toContain('--> results.csv:3:5');
  expect(stderr).toContain('--> results.csv:3:9');
  expect(stderr).toContain('help: Write 82.5: decimals begin with a point.');
});

test('a set that can be passed by doing nothing is told with its exit code, as text and as JSON', async () => {
  const cwd = aFolder();
  const runs = [{ task_id: 1, trial: 0, reward: 1, info: { task: { actions: [] }, reward_info: {} }, traj: [] }];
  writeFileSync(path.join(cwd, 'runs.json'), JSON.stringify(runs));
  const { status, stdout, stderr } = await runPassk(['audit', 'set', 'runs.json'], { cwd });
  expect([status, stderr, stdout.split('\n')[0]]).toEqual([
    1,
    '',
    'too many  says nothing            passes 1 of 1 task (1.00; allowed: 0.05)',
  ]);
  const loose = await runPassk(['audit', 'set', 'runs.json', '--max-trivial', '1', '--reads', '*', '--json'], { cwd });
  const audit = JSON.parse(loose.stdout) as SetAudit;
  expect([loose.status, audit.bounds]).toEqual([0, { maxTrivial: 1, reads: ['*'] }]);
});

test('code that decides tasks of a set takes part where the user grants it, and is named where not', async () => {
  const cwd = aFolder();
  writeFileSync(
    path.join(cwd, 'till.toml'),
    `name = "till"
[session]
[state]
paid = []
[[tools]]
name = "pay"
steps = [{ append = ["paid"], value = 1 }]
[[tasks]]
name = "pay"
user = { opening = "I pay." }
gold = { calls = [{ tool = "pay" }] }
agents = [{ name = "clerk", turns = [{ calls = [{ tool = "pay" }], says = "Done." }] }]
expected = { checks = [{ module = "rules.mjs" }] }
`,
  );
  writeFileSync(
    path.join(cwd, 'rules.mjs'),
    'export default ({ world }) => world.state.after.paid.length === 1 || "nothing was paid";',
  );
  const set = ['audit', 'set', 'till.toml'];
  const without = await runPassk(set, { cwd });
  expect([without.status, without.stdout]).toEqual([3, expect.stringContaining('--allow-run')]);
  const granted = await runPassk([...set, '--allow-run=rules.mjs', '--json'], { cwd });
  const audit = JSON.parse(granted.stdout) as SetAudit;
  expect([granted.status, granted.stderr]).toEqual([0, '']);
  expect(audit.tasks).toMatchObject([{ name: 'till: pay', gold: 'passed' }]);
});
