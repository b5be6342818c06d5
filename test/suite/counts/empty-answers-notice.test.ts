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
