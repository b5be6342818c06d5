import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import {
  mergeShards,
  readHistory,
  renderReport,
  runShard,
  runSuite,
  type RunSuiteOptions,
  type ShardSource,
  type SuiteReport,
} from '../../src/index.ts';

const cwd = mkdtempSync(path.join(tmpdir(), 'passk-session-baselines-'));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

const HEAD = `name = "till"
trials = 40
min_pass_rate = 0
[session]
messages = 4
max_user_failures = 0.9
[state]
paid = []
[[tools]]
name = "look"
parameters = { properties = { what = { type = "string" } } }
steps = [{ get = ["paid"] }]
[[tools]]
name = "pay"
parameters = { properties = { cents = { type = "integer" } }, required = ["cents"] }
steps = [{ append = ["paid"], value = "{{args.cents}}" }]
[[tasks]]
name = "take money"
gold = { calls = [{ tool = "pay", args = { cents = 1200 } }] }
`;

/** Takes the money, and in one of so many sessions another sum; 0: in none. */
function hasty(wrong: number): string {
  return `[[tasks.agents]]
name = "hasty"
turns = [
  { says = "Which amount?" },
  { calls = [{ tool = "look", args = { what = "paid" } }] },
  { variants = [
    { weight = ${4 - wrong}, calls = [{ tool = "pay", args = { cents = 1200 } }], says = "Thank you." },
    ${wrong === 0 ? '' : `{ weight = ${wrong}, calls = [{ tool = "pay", args = { cents = 12 } }], says = "Thank you." },`}
  ] },
]
`;
}

const SCRIPTED = 'user = { opening = "I want to pay.", known = { amount = "12 euros" } }\n';
/** A user whose model says nothing in one of four sessions, and then spoils them. */
const PLAYED = `[tasks.user]
model = "shopper"
opening = "I want to pay."
known = { amount = "12 euros" }
turns = [{ variants = [{ weight = 3, says = "12 euros." }, { weight = 1, says = " " }] }, { says = "[DONE]" }]
`;

function write(text: string): void {
  writeFileSync(path.join(cwd, 'till.toml'), text);
}

function run(options: RunSuiteOptions = {}): Promise<SuiteReport> {
  return runSuite({ cwd, paths: ['till.toml'], workers: 0, ...options });
}

function scenariosOf(file: string): readonly Record<string, unknown>[] {
  return (JSON.parse(readFileSync(path.join(cwd, file), 'utf8')) as { scenarios: Record<string, unknown>[] }).scenarios;
}

test('a session that fails now is told by the first call in which it leaves one that passed when the baseline was made', async () => {
  write(HEAD + SCRIPTED + hasty(0));
  await run({ saveBaseline: path.join(cwd, 'base.json') });
  expect(scenariosOf('base.json')).toMatchObject([
    {
      passed: 40,
      calls: {
        trial: 0,
        made: 2,
        calls: [
          { message: 2, tool: 'look', args: '{"what":"paid"}' },
          { message: 2, tool: 'pay', args: '{"cents":1200}' },
        ],
      },
    },
  ]);
  write(HEAD + SCRIPTED + hasty(2));
  const baseline = path.join(cwd, 'base.json');
  const report = await run({ baseline, saveBaseline: path.join(cwd, 'after.json') });
  const [drift] = report.drift?.scenarios ?? [];
  const trial = drift?.divergence?.trial;
  expect(drift).toMatchObject({
    status: 'regressed',
    divergence: {
      trial: (report.scenarios[0] as { failures: readonly { trial: number }[] }).failures[0]?.trial,
      baselineTrial: 0,
      at: 1,
      call: { message: 2, tool: 'pay', args: '{"cents":12}' },
      expected: { message: 2, tool: 'pay', args: '{"cents":1200}' },
      text: 'call 2 (message 2) is pay {"cents":12} in place of pay {"cents":1200}',
    },
  });
  const told = `trial ${trial} call 2 (message 2) is pay {"cents":12} in place of pay {"cents":1200} (trial 0 of the baseline passed)`;
  expect(renderReport(report, { reporter: 'text', columns: 200 })).toContain(told);
  const html = renderReport(report, { reporter: 'html' }).replaceAll('\\"', '"').replaceAll('\\\\"', '"');
  expect(html).toContain('call 2 (message 2) is pay');

  // Whoever runs the trials, the first of each verdict is the same one.
  const shards: ShardSource[] = [];
  for (const index of [2, 1]) {
    const { bytes } = await runShard({ cwd, paths: ['till.toml'], workers: 0, shard: { index, count: 2 } });
    shards.push({ name: `${index}.shard`, bytes });
  }
  const merged = await mergeShards(shards, { cwd, baseline, saveBaseline: path.join(cwd, 'merged.json') });
  expect(merged.report.drift).toEqual(report.drift);
  expect(readFileSync(path.join(cwd, 'merged.json'), 'utf8')).toBe(readFileSync(path.join(cwd, 'after.json'), 'utf8'));
});

test('trials that a user spoilt are counted apart in baselines, drift and history, and are no broken ones', async () => {
  write(HEAD + PLAYED + hasty(0));
  const first = await run({ saveBaseline: path.join(cwd, 'users.json'), history: path.join(cwd, 'kept') });
  const { trials, session } = first.scenarios[0] as unknown as {
    readonly trials: { readonly passed: number };
    readonly session: { readonly user: { readonly leftOut: number } };
  };
  const { passed } = trials;
  const spoilt = session.user.leftOut;
  expect([passed + spoilt, spoilt > 0]).toEqual([40, true]);
  const counted = { trials: passed, passed, broken: 0, spoilt, passRate: 1 };
  expect(scenariosOf('users.json')).toMatchObject([{ ...counted, failed: 0, whole: true }]);
  const { runs } = await readHistory(path.join(cwd, 'kept'));
  expect(runs[0]?.run.scenarios).toMatchObject([counted]);

  write(HEAD + PLAYED + hasty(3));
  const report = await run({ baseline: path.join(cwd, 'users.json') });
  expect(report.drift?.scenarios).toMatchObject([
    {
      status: 'regressed',
      comparison: 'unpaired',
      why: expect.stringMatching(/^Trials that a simulated user spoilt have no verdict to compare\./),
      before: counted,
      after: { broken: 0, spoilt: expect.any(Number) },
    },
  ]);
  expect(renderReport(report, { reporter: 'text', columns: 200 })).toContain(`${spoilt} spoilt by the user before`);
});
