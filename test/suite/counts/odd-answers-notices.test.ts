import { expect, test } from 'vitest';
import { mergeShards, runShard, runSuite, type SuiteReport } from '../../../src/index.ts';
import { sampled } from '../../support/sampled.ts';
import { inFolder } from '../contract-runs.ts';

/** Agents that say something only where they are told to. */
const FILES = {
  'agent.mjs': `export default () => (message) => (message === 'Speak.' ? 'I do.' : ' ');\n`,
  'agent-program.mjs': `process.stdin.toArray().then((parts) => process.stdout.write(parts.join('') === 'Speak.' ? 'I do.' : ' '));\n`,
  ...sessionFile('module', 'module = "agent.mjs"'),
  ...sessionFile('program', `command = ["${process.execPath}", "agent-program.mjs"]\nstateless = true`),
};

function sessionFile(name: string, agent: string): Record<string, string> {
  return {
    [`${name}.toml`]: `name = "${name}"
trials = 4
[[tasks]]
name = "speaks"
user = { opening = "Speak." }
expected = { invariants = [{ id = "private", type = "excludes_pii" }] }
[[tasks]]
name = "silent"
user = { opening = "Hush." }
expected = { invariants = [{ id = "private", type = "excludes_pii" }] }
[[tasks]]
name = "fails"
user = { opening = "Hush." }
expected = { says = ["I do."] }
[[agents]]
name = "a"
${agent}
`,
  };
}

const noticesOf = ({ notices }: SuiteReport): readonly string[] =>
  notices.flatMap(({ code, message }) => (code === 'agent_empty' ? [message] : []));

test.each(['module', 'program'])('trials that pass without a word of the agent are told, of a %s', async (kind) => {
  await inFolder(FILES, async (cwd) => {
    const permissions = { run: ['./agent.mjs', process.execPath] };
    const options = { cwd, paths: [`${kind}.toml`], workers: 0, permissions };
    const report = await runSuite(options);
    expect(noticesOf(report)).toEqual([
      `4 of 4 passing trials had an empty answer of the agent, in "${kind}: silent".`,
    ]);
    const counts = report.scenarios.map((scenario) => sampled(scenario).session?.passedEmpty);
    expect(counts.filter((count) => count !== undefined)).toEqual([4]);
  });
});

test('what a replay or shards say of empty answers is what the run said', async () => {
  await inFolder(FILES, async (cwd) => {
    const options = { cwd, paths: ['program.toml'], workers: 0, permissions: { run: [process.execPath] } };
    const said = noticesOf(await runSuite({ ...options, record: 'a.cassette' }));
    expect(said).toHaveLength(1);
    expect(noticesOf(await runSuite({ cwd, paths: ['program.toml'], workers: 0, replay: 'a.cassette' }))).toEqual(said);
    const parts = await Promise.all([1, 2].map((index) => runShard({ ...options, shard: { index, count: 2 } })));
    const sources = parts.map(({ bytes }, at) => ({ name: `${at}`, bytes }));
    expect(noticesOf((await mergeShards(sources, { cwd })).report)).toEqual(said);
  });
});

const CUT_FILES = {
  'cut.mjs': `export default () => (message) => ({ text: 'The order is', finishReason: message === 'Cut.' ? 'length' : message === 'Filter.' ? 'content-filter' : 'stop' });\n`,
  'cut-program.mjs': `process.stdin.toArray().then((parts) => {
  const finish_reason = { 'Cut.': 'length', 'Filter.': 'content_filter' }[parts.join('')] ?? 'stop';
  process.stdout.write(JSON.stringify({ choices: [{ message: { role: 'assistant', content: 'The order is' }, finish_reason }] }));
});\n`,
  ...cutFile('module', 'module = "cut.mjs"'),
  ...cutFile(
    'program',
    `command = ["${process.execPath}", "cut-program.mjs"]\nresponse_path = "choices.0.message.content"\nstateless = true`,
  ),
};

function cutFile(name: string, agent: string): Record<string, string> {
  const tasks = ['Cut.', 'Filter.', 'Go on.'].map(
    (opening) => `[[tasks]]
name = "${opening}"
user = { opening = "${opening}" }
expected = { says = ["order"] }
`,
  );
  const failing = '[[tasks]]\nname = "fails"\nuser = { opening = "Cut." }\nexpected = { says = ["sent"] }\n';
  return {
    [`${name}.toml`]: `name = "${name}"\ntrials = 2\n${tasks.join('')}${failing}[[agents]]\nname = "a"\n${agent}\n`,
  };
}

test.each(['module', 'program'])(
  'trials that pass with an answer that was cut or withheld are told, of a %s, after a replay and in shards',
  async (kind) => {
    await inFolder(CUT_FILES, async (cwd) => {
      const permissions = { run: ['./cut.mjs', process.execPath] };
      const options = { cwd, paths: [`${kind}.toml`], workers: 0, permissions };
      const told = ({ notices }: SuiteReport): readonly string[] =>
        notices.flatMap(({ code, message }) => (/^agent_(?:cut|filtered)$/.test(code) ? [message] : []));
      const report = await runSuite(kind === 'program' ? { ...options, record: 'a.cassette' } : options);
      const said = told(report);
      expect(said).toEqual([
        `2 of 2 passing trials had an answer of the agent that was cut at a cap of tokens, in "${kind}: Cut.".`,
        `2 of 2 passing trials had an answer of the agent that is a refusal, or was cut by a filter, in "${kind}: Filter.".`,
      ]);
      // The record of a failing trial says why its answer ended.
      const [failure] = sampled(report.scenarios[3]).failures;
      expect(failure?.record?.turns.map(({ answer }) => answer?.finish ?? null)).toEqual([null, 'length']);
      if (kind === 'program') expect(told(await runSuite({ ...options, replay: 'a.cassette' }))).toEqual(said);
      const parts = await Promise.all([1, 2].map((index) => runShard({ ...options, shard: { index, count: 2 } })));
      const sources = parts.map(({ bytes }, at) => ({ name: `${at}`, bytes }));
      expect(told((await mergeShards(sources, { cwd })).report)).toEqual(said);
    });
  },
);
