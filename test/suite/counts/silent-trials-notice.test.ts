import { expect, test } from 'vitest';
import { runSuite } from '../../../src/index.ts';
import { sampled } from '../../support/sampled.ts';
import { inFolder } from '../contract-runs.ts';

const USAGE = `{ text: 'Yes.', usage: { promptTokens: 40, completionTokens: 8 } }`;

/** An agent that fails in every second trial, and tells tokens as `usage` has it. */
const filesWith = (answer: string): Record<string, string> => ({
  'agent.mjs': `let sessions = 0;
export default () => {
  const fails = sessions++ % 2 === 1;
  return () => {
    if (fails) throw new Error('429 Rate limit reached');
    return ${answer};
  };
};
`,
  'a.toml': `name = "till"
trials = 6
min_pass_rate = 0.2
[agent]
module = "agent.mjs"
[user]
opening = "Done?"
[expected]
says = ["Yes."]
`,
});

async function run(answer: string) {
  return await inFolder(filesWith(answer), async (cwd) => {
    const permissions = { run: ['./agent.mjs'] };
    const report = await runSuite({ cwd, workers: 0, concurrency: 1, permissions });
    const scenario = sampled(report.scenarios[0]);
    const notices = report.notices.flatMap(({ code, message }) => (code === 'silent_trials' ? [message] : []));
    return { silent: scenario.session?.silentTrials, total: scenario.cost.total.llmTokens, notices };
  });
}

test('trials that tell no tokens beside others that do are counted and told', async () => {
  expect(await run(USAGE)).toEqual({
    silent: 3,
    total: 144,
    notices: ['"till": in 3 of 6 trials the agent told no tokens. They count as 0 there.'],
  });
});

test('nothing is said of an agent that never tells tokens, whose tokens are unknown', async () => {
  expect(await run(`'Yes.'`)).toEqual({ silent: undefined, total: null, notices: [] });
});
