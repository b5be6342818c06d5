import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { golden, type GoldenIssue, type GoldenReport, type RunGoldenOptions } from '../../src/index.ts';
import { goldenPanels } from '../../src/report/sections/golden-panels.ts';
import { aGoldenSet } from './a-golden-set.ts';

const TASKS = 30;
const WRONG = [0, 1, 2, 3, 4, 5, 6, 7];

let cwd = '';
const HOW = { permissions: { run: ['./now.mjs', './next.mjs'] }, workers: 1 };
const run = async (agents: string, more: Partial<RunGoldenOptions> = {}): Promise<GoldenReport> => {
  const report = await golden.run({
    set: 'golden.json',
    cwd,
    ...HOW,
    limits: { minTasks: TASKS },
    ...(agents !== '' && { agents }),
    ...more,
  });
  if (report === null) throw new Error('it was stopped');
  return report;
};
const text = (name: string): string => readFileSync(path.join(cwd, name), 'utf8');
const issuesIn = (name: string): readonly GoldenIssue[] =>
  text(name)
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as GoldenIssue);

beforeAll(async () => {
  cwd = aGoldenSet(TASKS, WRONG);
  await golden.pin({ paths: ['set'], out: 'golden.json', agents: 'now.toml', runs: 2, cwd, ...HOW });
});
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

test('the same agent passes: nothing differs, nothing is filed, and the noise floor is known', async () => {
  const report = await run('now.toml', { issueSink: 'none.jsonl' });
  expect(report).toMatchObject({
    verdict: 'pass',
    reasons: [],
    paired: TASKS,
    tasks: { lost: 0, gained: 0, exact: 1 },
    trajectory: { diverged: 0, floor: 0, first: [] },
    noise: { runs: 2, regressionRate: 0, passHatK: 0 },
    regressions: [],
    issues: [],
    sink: { filed: 0 },
  });
  expect(text('none.jsonl')).toBe('');
  expect(golden.exitCode(report)).toBe(0);
});

test('a pass of few tasks says which loss they may hide, and one of enough tasks does not', async () => {
  const report = await run('now.toml');
  const words = '30 tasks may hide a loss of pass^1 of 0.09, above the margin 0.02';
  expect(golden.render(report, { columns: 200 })).toContain(`not shown     ${words}`);
  expect(JSON.stringify(goldenPanels(report))).toContain(`Not shown: ${words}`);
  const wide = { ...report, limits: { ...report.limits, margin: 0.2 } };
  expect(golden.render(wide, { columns: 200 })).not.toContain('not shown');
});

test('R-04: a planted regression files exactly its issues, with trials, traces and how to see one, and none the second time', async () => {
  const report = await run('next.toml', { issueSink: 'issues.jsonl' });
  expect(report).toMatchObject({ verdict: 'fail', sink: { filed: WRONG.length }, flaky: [] });
  expect(report.passHatK).toMatchObject([{ k: 1, difference: -WRONG.length / TASKS }]);
  expect(report.passHatK[0]?.interval?.[1]).toBeLessThan(0);
  expect(report.trajectory?.diverged).toBeCloseTo(WRONG.length / TASKS, 12);
  const filed = issuesIn('issues.jsonl');
  expect(filed.map(({ task }) => task).sort()).toEqual(WRONG.map((at) => `R-${at}: pay`));
  expect(filed[0]).toMatchObject({
    kind: 'regression',
    set: report.set.hash,
    check: 'gold',
    trials: [0],
    traceIds: ['trace-R-0'],
    message: '"R-0: pay" passed 1 of 1 trials before, and 0 of 1 now.',
    divergence: 'call 1 (message 1) is pay {"order":"R-0"} in place of find {"order":"R-0"}',
  });
  expect(filed[0]?.replay).toMatch(/^passk trace set\/R-0\.toml .*--agents next\.toml/);
  const again = await run('next.toml', { issueSink: 'issues.jsonl' });
  expect(again).toMatchObject({ verdict: 'fail', sink: { filed: 0 } });
  expect(again.issues).toEqual(report.issues);
  expect(issuesIn('issues.jsonl')).toEqual(filed);
  expect(golden.exitCode(report)).toBe(1);
});

test('without a sink a regression fails all the same, and it is said that nothing was filed', async () => {
  const report = await run('next.toml', { paths: ['set'] });
  expect(report).toMatchObject({ verdict: 'fail', sink: null, paths: ['set'] });
  expect(golden.render(report)).toContain('candidate     next.toml, on set\n');
  expect(golden.render(report)).toContain('8 issues, and nothing was filed: there is no --issue-sink.');
});

test('a webhook that is down loses nothing: the next run sends what is left, each issue once', async () => {
  const got: string[] = [];
  let taken = 0;
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (piece: Buffer) => (body += piece.toString()));
    request.on('end', () => {
      const isTaken = got.length < taken;
      if (isTaken) got.push((JSON.parse(body) as GoldenIssue).fingerprint);
      response.writeHead(isTaken ? 200 : 400).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const issueSink = `http://${host}/new`;
  const how = { issueSink, permissions: { ...HOW.permissions, net: [host] } };
  await expect(run('next.toml', { issueSink })).rejects.toMatchObject({ code: 'USAGE' });
  expect(existsSync(path.join(cwd, 'golden.issues.jsonl'))).toBe(false);
  taken = 3;
  await expect(run('next.toml', how)).rejects.toMatchObject({
    code: 'OUTPUT',
    hint: expect.stringContaining('golden.issues.jsonl') as unknown,
  });
  expect(issuesIn('golden.issues.jsonl')).toHaveLength(WRONG.length);
  taken = 100;
  // Also by a run that has no issues of its own.
  expect(await run('now.toml', how)).toMatchObject({ verdict: 'pass', sink: { filed: WRONG.length - 3 } });
  expect(await run('next.toml', how)).toMatchObject({ verdict: 'fail', sink: { filed: 0 } });
  expect(got).toEqual(issuesIn('golden.issues.jsonl').map(({ fingerprint }) => fingerprint));
  server.close();
});

test('a sink that cannot be written, and a file of something else, are errors that keep the runs', async () => {
  rmSync(path.join(cwd, 'golden.candidate.json'), { force: true });
  await expect(run('next.toml', { issueSink: 'nowhere/issues.jsonl' })).rejects.toMatchObject({ code: 'OUTPUT' });
  expect(JSON.parse(text('golden.candidate.json'))).toMatchObject({ judged: { verdict: 'fail' } });
  writeFileSync(path.join(cwd, 'words.jsonl'), 'words\n');
  await expect(run('next.toml', { issueSink: 'words.jsonl' })).rejects.toMatchObject({ code: 'INPUT' });
  expect(text('words.jsonl')).toBe('words\n');
  await expect(run('now.toml', { limits: { alpha: 0.5 } })).rejects.toMatchObject({ code: 'USAGE' });
  for (const limits of [{ alpha: 1e-300 }, { margin: 1 }, { maxRegressionRate: 1 }]) {
    await expect(run('now.toml', { limits })).rejects.toMatchObject({ code: 'USAGE' });
  }
});

test('R-01: a set of fewer tasks than asked for is not enough evidence', async () => {
  const report = await run('now.toml', { limits: {} });
  expect(report).toMatchObject({ verdict: 'insufficient' });
  expect(report.reasons).toEqual([
    '30 of 200 planned scenarios cannot tell whether the loss exceeds the margin 0.02.',
    'The set has 30 tasks, fewer than the 200 asked for.',
  ]);
  expect(golden.exitCode(report)).toBe(3);
});

test('a set whose files changed is an error that names them, and so is one that was edited', async () => {
  const before = [text('set/R-1.toml'), text('set/R-2.tools.json')] as const;
  appendFileSync(path.join(cwd, 'set/R-1.toml'), '# more\n');
  rmSync(path.join(cwd, 'set/R-2.tools.json'));
  await expect(run('now.toml')).rejects.toMatchObject({
    code: 'INPUT',
    message: '2 files are not what golden.json pins: set/R-1.toml, set/R-2.tools.json (cannot be read).',
  });
  writeFileSync(path.join(cwd, 'set/R-1.toml'), before[0]);
  writeFileSync(path.join(cwd, 'set/R-2.tools.json'), before[1]);
  const pinned = text('golden.json');
  for (const [from, to, message] of [
    ['set/R-1.toml', 'set/R-9.toml', 'was edited'],
    ['"passk-golden/2"', '"passk-golden/0"', 'version'],
    ['"passed": 1,', '"passed": 9,', 'must be passed'],
    ['"seed": 0,', '"seed": 1,', 'was edited'],
  ] as const) {
    writeFileSync(path.join(cwd, 'edited.json'), pinned.replace(from, to));
    await expect(run('now.toml', { set: 'edited.json' })).rejects.toMatchObject({
      code: 'INPUT',
      message: expect.stringContaining(message) as unknown,
    });
  }
});

test('a set that does not load, has no tasks or lies elsewhere is not pinned', async () => {
  writeFileSync(path.join(cwd, 'bad.toml'), 'name = 1\n');
  const pin = (paths: readonly string[], out = 'no.json') => golden.pin({ paths, out, cwd, ...HOW });
  await expect(pin(['bad.toml'])).rejects.toMatchObject({ code: 'INPUT' });
  await expect(pin(['none'])).rejects.toMatchObject({ code: 'INPUT' });
  await expect(pin(['set'], 'set/../other/no.json')).rejects.toMatchObject({ code: 'INPUT' });
  expect(existsSync(path.join(cwd, 'no.json'))).toBe(false);
});

test('a candidate that says nothing of a task, or lacks one, does not pass', async () => {
  const agents = `[[agents]]\nname = "desk"\nmodule = "astray.mjs"\n`;
  writeFileSync(path.join(cwd, 'astray.toml'), agents);
  const asks = `export default ({ tools }) => () => void tools[0].execute({ order: 'none' });\n`;
  writeFileSync(path.join(cwd, 'astray.mjs'), asks);
  const report = await run('astray.toml', { permissions: { run: ['./astray.mjs'] } });
  expect(report).toMatchObject({ verdict: 'insufficient', paired: 0, replayMisses: TASKS });
  expect(report.unjudged).toHaveLength(TASKS);
  await expect(run('now.toml', { paths: ['set/R-1.toml'] })).rejects.toMatchObject({
    code: 'INPUT',
    message: expect.stringContaining('lacks tasks') as unknown,
  });
});

test('accept makes the candidate the baseline, with its reason; one that failed only by force, and each once', async () => {
  const accept = (more: object = {}) => golden.accept({ set: 'golden.json', reason: 'cheaper', cwd, ...more });
  const pinned = text('golden.json');
  await run('next.toml');
  await expect(accept()).rejects.toMatchObject({
    code: 'INPUT',
    message: expect.stringContaining('8 regressions') as unknown,
  });
  // Nobody makes it a pass by hand.
  const edited = text('golden.candidate.json');
  writeFileSync(path.join(cwd, 'golden.candidate.json'), edited.replace('"verdict": "fail"', '"verdict": "pass"'));
  await expect(accept()).rejects.toMatchObject({
    code: 'INPUT',
    message: 'golden.candidate.json was edited: it does not hold what passk wrote.',
  });
  // Blanks are no edit.
  writeFileSync(path.join(cwd, 'golden.candidate.json'), JSON.stringify(JSON.parse(edited), null, 4));
  await expect(accept({ reason: ' ', force: true })).rejects.toMatchObject({ code: 'USAGE' });
  expect(text('golden.json')).toBe(pinned);
  const forced = await accept({ force: true, by: 'jane' });
  expect(forced).toMatchObject({
    agents: { file: 'next.toml' },
    accepted: { reason: 'cheaper', by: 'jane', isForced: true },
    judged: { verdict: 'fail' },
  });
  await expect(accept({ force: true })).rejects.toMatchObject({ code: 'INPUT' });
  // What was lost is gained.
  expect(await run('now.toml')).toMatchObject({ verdict: 'pass', tasks: { lost: 0, gained: WRONG.length } });
  expect(await accept()).toMatchObject({ agents: { file: 'now.toml' }, accepted: { isForced: false, by: null } });
});
