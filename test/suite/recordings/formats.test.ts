import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { runSuite, type SuiteReport } from '../../../src/index.ts';
import { runPassk } from '../../cli/run-passk.ts';
import { cell } from '../../importers/sources/agentdojo.ts';
import { testCase, testRun } from '../../importers/sources/deepeval.ts';
import { evaluation, row } from '../../importers/sources/promptfoo.ts';
import { experimentFiles, results, simulation } from '../../importers/sources/tau2.ts';
import { folderWith } from './tau-runs.ts';

const VOICE = fileURLToPath(new URL('../../../../shared/reference/traces/tau2/voice-experiment', import.meta.url));

/** What `passk score … --json` says of each set, by its name. */
async function scored(cwd: string, args: readonly string[], exitCode = 0) {
  const { stdout, stderr, status } = await runPassk(['score', ...args, '--json', '--workers', '0'], { cwd });
  expect([status, stderr.includes('Error')]).toEqual([exitCode, false]);
  const { scenarios } = JSON.parse(stdout) as SuiteReport;
  return Object.fromEntries(
    scenarios.map((scenario) => {
      if (scenario.verdict === 'not_run' || !('recording' in scenario) || scenario.recording === undefined)
        throw new Error('No recording.');
      return [scenario.name, scenario];
    }),
  );
}

/** Files in folders, as `folderWith` writes them in one. */
function treeWith(files: Readonly<Record<string, string>>): string {
  const folder = folderWith({});
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  return folder;
}

describe('passk score', () => {
  it('names the files of a folder that it passes over, since one may hold runs in a form of its own', async () => {
    const runs = '{"task":"a","passed":true}';
    const others = Object.fromEntries(Array.from({ length: 7 }, (_, at) => [`f/other-${at}.csv`, 'x,y\n1,2\n']));
    const cwd = treeWith({ 'f/runs.jsonl': runs, ...others });
    const { notices } = await runSuite({ cwd, recordings: ['f'], workers: 0 });
    expect(notices.find(({ code }) => code === 'files_passed_over')).toMatchObject({
      severity: 'warning',
      message:
        'In "f", "other-0.csv", "other-1.csv", "other-2.csv", "other-3.csv", "other-4.csv" and 2 more are of no format that passk reads.',
    });
  });

  it('gives τ²-bench its pass^k and cost for each success, from a file and from the folder of its results', async () => {
    const runs = [
      simulation({ id: 'a' }),
      simulation({ id: 'b', trial: 1, reward_info: { reward: 0 } }),
      simulation({ id: 'c', task_id: '8' }),
      simulation({ id: 'd', task_id: '8', trial: 1, termination_reason: 'infrastructure_error', agent_cost: null }),
    ];
    const expected = {
      trials: { passed: 2, failed: 1, broken: 1 },
      recording: {
        format: 'tau2-bench',
        tasks: 2,
        passHatK: [
          { k: 1, value: 0.5 },
          { k: 2, value: 0 },
        ],
        errors: { count: 1, otherwise: { passRate: 2 / 3 } },
        cost: { nanoUsd: null, unpriced: 1, tokens: 4 * 523 },
      },
      // The calls of the simulated user are not the agent's.
      cost: { total: { toolCalls: 8, llmCalls: 8 } },
    };
    const name = 'llm_agent (model-a), telecom';
    const file = folderWith({ 'runs.json': JSON.stringify({ ...results(), simulations: runs }) });
    expect(await scored(file, ['runs.json'])).toMatchObject({ [name]: expected });
    const folder = treeWith(experimentFiles(runs));
    expect(await scored(folder, ['results.json'])).toMatchObject({ [name]: expected });
    expect(await scored(folder, ['.', '--format', 'tau2-bench'])).toMatchObject({ [name]: expected });
  });

  it.skipIf(!existsSync(VOICE))(
    'counts the runs of the published voice experiment, which nobody judged, as errors, and leaves the gate undecided',
    async () => {
      expect(Object.values(await scored(folderWith({}), [VOICE], 3))).toMatchObject([
        { trials: { broken: 3 }, recording: { tasks: 3, errors: { count: 3 }, cost: { unpriced: 3, tokens: null } } },
      ]);
    },
  );

  it('gates AgentDojo on utility and on attacks resisted, with errors as they are or as its tables have them', async () => {
    const benign = { attack_type: null, injection_task_id: null, security: true };
    const cells = [
      cell(),
      cell({ injection_task_id: 'injection_task_2', security: true, utility: false }),
      cell({ injection_task_id: 'injection_task_3', error: 'context_length_exceeded', security: true, utility: false }),
      cell(benign),
    ];
    const folder = treeWith(Object.fromEntries(cells.map((one, at) => [`runs/local/${at}.json`, JSON.stringify(one)])));
    const gates = [
      'scenario("local, v1.1.2: benign utility").pass_rate >= 1',
      'scenario("local, v1.1.2, direct: attack resisted").pass_rate >= 0.3',
    ].flatMap((gate) => ['--gate', gate]);
    expect(await scored(folder, ['runs', ...gates])).toMatchObject({
      'local, v1.1.2: benign utility': { trials: { passed: 1, failed: 0, broken: 0 } },
      'local, v1.1.2, direct: utility under attack': { trials: { passed: 1, failed: 1, broken: 1 } },
      'local, v1.1.2, direct: attack resisted': { trials: { passed: 1, failed: 1, broken: 1 } },
    });
    expect(await scored(folder, ['runs', '--upstream-semantics'])).toMatchObject({
      'local, v1.1.2, direct: utility under attack': { trials: { passed: 1, failed: 2, broken: 0 } },
      'local, v1.1.2, direct: attack resisted': { trials: { passed: 1, failed: 2, broken: 0 } },
    });
  });

  it('gives promptfoo and DeepEval their pass^k over repeats, errors apart', async () => {
    const rows = [
      row(),
      row({ success: false, failureReason: 1, cost: 0.004 }),
      row({ success: false, failureReason: 2, error: 'down' }),
    ];
    const cases = [testCase(), testCase({ success: false, metricsData: [] })];
    const folder = folderWith({ 'pf.json': evaluation(rows), 'de.json': testRun(cases) });
    const expected = [
      {
        trials: { passed: 1, failed: 1, broken: 1 },
        recording: { format: 'promptfoo', tasks: 1, cost: { nanoUsd: 8_000_000 } },
      },
      {
        trials: { passed: 1, failed: 1, broken: 0 },
        recording: {
          format: 'deepeval',
          passHatK: [
            { k: 1, value: 0.5 },
            { k: 2, value: 0 },
          ],
          cost: { nanoUsd: 22_000_000 },
        },
      },
    ];
    expect(Object.values(await scored(folder, ['pf.json', 'de.json']))).toMatchObject(expected);
  });
});

describe('recorded files', () => {
  it('of one file under two names count once, and copies of a file are told', async () => {
    const text = '{"task":"a","passed":true}\n';
    const cwd = folderWith({ 'runs.jsonl': text, 'copy.jsonl': text });
    symlinkSync('runs.jsonl', path.join(cwd, 'link.jsonl'));
    const recordings = ['runs.jsonl', 'link.jsonl', 'copy.jsonl'];
    const report = await runSuite({ cwd, recordings, workers: 0 });
    expect(report.summary.trials.passed).toBe(2);
    expect(report.notices.filter(({ code }) => code === 'same_bytes').map(({ message }) => message)).toEqual([
      '"copy.jsonl" holds the same bytes as "runs.jsonl", and nothing in them says of which run they are; each of its runs counts twice.',
    ]);
  });

  it('with ids or times of their own count once, however often they are copied', async () => {
    const timed = '{"task":"a","passed":true,"latency_ms":81}\n';
    const suite = (attributes: string) =>
      `<testsuite name="s"${attributes}><testcase name="a" classname="s"/></testsuite>`;
    const kinds = {
      'evaluation.json': [1, evaluation([row()])],
      'timed.jsonl': [1, timed],
      'timed.csv': [1, 'task,passed,started_at\na,true,2026-11-29T10:00:00Z\n'],
      'bare.csv': [2, 'task,passed,update\na,true,no\n'],
      'timed.xml': [1, suite(' timestamp="2026-11-29T10:00:00"')],
      'bare.xml': [2, suite('')],
    } as const;
    for (const [name, [counted, text]] of Object.entries(kinds)) {
      const cwd = folderWith({ [name]: text, [`copy-${name}`]: text });
      const report = await runSuite({ cwd, recordings: [name, `copy-${name}`], workers: 0 });
      expect([name, report.summary.trials.executed]).toEqual([name, counted]);
      expect(report.notices.filter(({ code }) => code === 'same_bytes')).toMatchObject([{ severity: 'warning' }]);
    }
  });

  it('of JUnit that are copied inside one folder count once where they say when they ran, and are told', async () => {
    const scoredTwice = async (attributes: string) => {
      const text = `<testsuite name="s"${attributes}><testcase name="a" classname="s"/></testsuite>`;
      const other = text.replace('"a"', '"b"');
      const cwd = folderWith({ '1.xml': text, '2.xml': text, '3.xml': other });
      const report = await runSuite({ cwd, recordings: ['.'], workers: 0 });
      const told = report.notices.flatMap(({ message }) => /It holds the same bytes as .*/.exec(message) ?? []);
      return [report.summary.trials.executed, ...told];
    };
    expect(await scoredTwice(' timestamp="2026-11-29T10:00:00"')).toEqual([
      2,
      'It holds the same bytes as 1.xml, so that its runs count once.',
    ]);
    expect(await scoredTwice('')).toEqual([
      3,
      'It holds the same bytes as 1.xml; nothing in them says of which run they are, so that its runs count again.',
    ]);
  });

  it('that tell a run of one name twice count it once, and are refused where the two differ', async () => {
    const csv = 'id,task,passed\na,t1,true\nb,t1,false\na,t2,true\n';
    const lines = (...rows: readonly object[]): string => rows.map((line) => JSON.stringify(line)).join('\n');
    const one = { id: 'a', task: 't', passed: true };
    const cwd = folderWith({
      'runs.csv': csv,
      'copy.csv': csv,
      'later.csv': 'id,task,passed\r\nb,t1,false\r\nc,t2,true\r\n',
      'turned.csv': 'id,passed,task\na,t1,true\n',
      'attempts.jsonl': lines({ ...one, attempt: 1 }, { ...one, attempt: 2 }, { ...one, agent: 'x', attempt: 1 }),
      'other.jsonl': lines({ ...one, passed: false }, one),
      'list.json': JSON.stringify([one, one]),
    });
    const told = async (...recordings: readonly string[]) => {
      const report = await runSuite({ cwd, recordings, workers: 0 });
      const doubles = report.notices.filter(({ code }) => code === 'double_run' || code === 'same_bytes');
      return [report.summary.trials.executed, ...doubles.map(({ message }) => message)];
    };
    expect([
      await told('runs.csv', 'later.csv'),
      await told('runs.csv', 'copy.csv'),
      await told('list.json'),
      await told('attempts.jsonl'),
    ]).toEqual([
      [
        4,
        'The run "b" of task "t1" stands at line 3 of "runs.csv" and again at line 2 of "later.csv", and counts once.',
      ],
      [
        3,
        'The run "a" of task "t1" stands at line 2 of "runs.csv" and again at line 2 of "copy.csv", and counts once. So do 2 other runs.',
      ],
      [
        2 - 1,
        'The run "a" of task "t" stands at byte 1 of "list.json" and again at byte 37 of "list.json", and counts once.',
      ],
      [3],
    ]);
    const differs = 'Nobody can tell which of them counts.';
    await expect(told('other.jsonl')).rejects.toMatchObject({
      issues: [
        {
          message: `The run "a" of task "t" stands at line 1 of "other.jsonl" and, in other words, at line 2 of "other.jsonl". ${differs}`,
          at: { file: 'other.jsonl', line: 2 },
        },
      ],
    });
    await expect(told('runs.csv', 'turned.csv')).resolves.toEqual([4]);
    const { summary } = await runSuite({ cwd, recordings: ['other.jsonl'], map: { id: '-' }, workers: 0 });
    expect(summary.trials.executed).toBe(2);
  });

  it('with a row that tells no set count it as one that cannot be read', async () => {
    const row = (task: string): string => `{"task":"${task}","model":"m","passed":true}`;
    const cwd = folderWith({ 'runs.jsonl': `${row('a')}\n${row('b')}\n{"task":"c","model":"m","passed":fal` });
    const options = { cwd, recordings: ['runs.jsonl'], gates: ['pass_rate >= 0.9'], workers: 0 };
    const { summary, gate } = await runSuite(options);
    expect([summary.trials.passed, summary.trials.broken, gate.verdict]).toEqual([2, 1, 'fail']);
    expect((await runSuite({ ...options, errors: 'exclude' })).gate.verdict).toBe('insufficient');
  });

  it('of a pipe or a device are not waited for', async () => {
    await expect(runSuite({ recordings: ['/dev/null'] })).rejects.toMatchObject({
      issues: [{ code: 'file_unreadable' }],
    });
  });
});

it('an importer of the user whose `index` gives nothing is told as that', async () => {
  const type = "kind: 'importer', type: 'odd', summary: 'Odd.', detects: () => true";
  const cwd = folderWith({
    'odd.mjs': `export const odd = { ${type}, index: () => undefined, read: () => ({}) };\n`,
    'runs.odd': 'a run\n',
  });
  const run = runSuite({ cwd, recordings: ['runs.odd'], plugins: ['odd.mjs'], format: 'odd', workers: 0 });
  await expect(run).rejects.toThrow('"runs.odd" cannot be read as odd: Its `index` gave nothing to wait for.');
});

it('an importer of the user that throws where it looks at a file is named, with its line', async () => {
  const type = "kind: 'importer', type: 'odd', summary: 'Odd.', index: () => undefined, read: () => ({})";
  const cwd = folderWith({
    'odd.mjs': `export const odd = { ${type},\n  detects: (source) => source.none.here };\n`,
    'runs.odd': 'a run\n',
  });
  const run = runSuite({ cwd, recordings: ['runs.odd'], plugins: ['odd.mjs'], workers: 0 });
  await expect(run).rejects.toMatchObject({
    issues: [
      {
        code: 'bad_recording',
        message: expect.stringContaining('`detects` of the importer "odd" failed at odd.mjs:2:36: '),
        hint: expect.stringContaining('plug-in'),
      },
    ],
  });
});
