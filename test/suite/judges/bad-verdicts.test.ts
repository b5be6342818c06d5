import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FakeJudgeServer, runSuite, type SampledScenario, startFakeJudge } from '../../../src/index.ts';
import type { JudgeSetting } from '../../../src/types/judges/judge.ts';

const cwd = mkdtempSync(path.join(tmpdir(), 'passk-bad-verdicts-'));
let fake: FakeJudgeServer;
beforeAll(async () => {
  fake = await startFakeJudge();
  writeFileSync(path.join(cwd, 'shop.toml'), SHOP);
});
afterAll(async () => {
  await fake.close();
  rmSync(cwd, { recursive: true, force: true });
});

/** Judged by a rubric, by comparison and claim by claim; all three find it good. */
const SHOP = `name = "shop"
trials = 2
min_pass_rate = 0
[session]
[state]
[[tools]]
name = "look"
steps = []
[[tasks]]
name = "ask"
user = { opening = "Is it in stock?" }
agents = [{ name = "a", turns = [{ says = "Kindly: yes. [[good=1 quality=1]]" }] }]
[tasks.expected]
judges = ["rubric"]
prefers = [{ judge = "pairs", over = "No. [[quality=-1]]" }]
faithful = { judge = "claims", texts = ["Kindly: yes. [[good=1 quality=1]]"] }
`;
const CRITERIA = [{ id: 'kind', text: 'The agent is kind.' }];
const JUDGES: readonly JudgeSetting[] = [
  { name: 'rubric', models: ['fake'], criteria: CRITERIA },
  { name: 'pairs', models: ['fake'], criteria: CRITERIA, compares: true },
  { name: 'claims', models: ['fake'], verifies: true },
];

async function countsWith(fault: string): Promise<readonly (readonly [string, number, number, number])[]> {
  const model = {
    provider: 'openai-compatible',
    model: `${fault},skill=20`,
    baseUrl: fake.url,
    maxRetries: 0,
  } as const;
  const report = await runSuite({ cwd, paths: ['shop.toml'], workers: 0, judges: JUDGES, models: { fake: model } });
  const [scenario] = report.scenarios as readonly SampledScenario[];
  return (scenario?.judges ?? []).map(({ judge, met, unmet, errors }) => [judge, met, unmet, errors]);
}

test.each(['fenced=1', 'prose=1'])(
  'of a judge that answers with %s every verdict is read, over the wire',
  async (fault) => {
    expect(await countsWith(fault)).toEqual(JUDGES.map(({ name }) => [name, 2, 0, 0]));
  },
);

test.each(['empty=1', 'contradictory=1', 'truncated=1', 'foreign=1', 'huge=1', 'malformed=1', 'cut=1', 'limited=1'])(
  'a judge that answers with %s has ruled on nothing, whatever it is asked: errors, and no verdict',
  async (fault) => {
    expect(await countsWith(fault)).toEqual(JUDGES.map(({ name }) => [name, 0, 0, 2]));
  },
);
