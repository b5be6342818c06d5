import { expect, test } from 'vitest';
import { resolveRunOptions } from '../../src/settings/options.ts';
import { prepareRun } from '../../src/suite/run-suite.ts';
import type { RunSuiteOptions } from '../../src/settings/options.ts';
import type { Traits } from '../../src/types/plan.ts';
import { inFolder } from './contract-runs.ts';

const SCENARIO = (nodes: string, more = ''): string => `
name = "s"
timeout_ms = 2000
[workflow]
inline = """
name = "w"
start_nodes = [{ name = "main", source = "manual", entry_node = "n" }]
nodes = [${nodes}]
edges = []
"""
[expected]
status = "completed"
${more}`;

const AGENT = `
golden_prompts = ["Who am I?"]
[agent]
endpoint = "http://127.0.0.1:9/ask"
[contract]
name = "c"
[[contract.invariants]]
id = "short"
type = "contains"
value = "nobody"
[[contract.chaos_matrix]]
name = "calm"
[[contract.chaos_matrix]]
name = "cut"
llm_faults = [{ mode = "truncated_response", max_tokens = 1 }]
`;

async function traitsOf(text: string, options: RunSuiteOptions = {}): Promise<readonly Traits[]> {
  return inFolder({ 's.toml': text }, async (cwd) => {
    const { plan } = await prepareRun(resolveRunOptions({ cwd, ...options }));
    return plan.scenarios.map(({ traits }) => traits);
  });
}

test('a scenario that the plan answers runs at once and anywhere', async () => {
  expect(await traitsOf(SCENARIO('{ id = "n", type = "merge" }'))).toEqual([
    { sync: true, repeatable: true, place: 'here', orderGroup: null, longestMs: 2000 },
  ]);
});

test('one that asks the outside world waits in a worker, and is not repeated', async () => {
  const text = SCENARIO('{ id = "n", type = "read_env", key = "HOME" }');
  expect(await traitsOf(text, { permissions: { env: ['HOME'] } })).toEqual([
    { sync: false, repeatable: false, place: 'worker', orderGroup: null, longestMs: 2000 },
  ]);
});

test('each pause gives a trial its time limit anew', async () => {
  const pauses = '[world.approvals.n]\ndecision = "resume"';
  const [traits] = await traitsOf(SCENARIO('{ id = "n", type = "pause_for_approval" }', pauses));
  expect(traits?.longestMs).toBe(4000);
});

test('all that an agent is asked waits on the host, in one order, that of the plan', async () => {
  const traits = await traitsOf(AGENT, { permissions: { net: ['127.0.0.1:9'] } });
  expect(traits.map(({ sync, place, orderGroup }) => [sync, place, orderGroup])).toEqual([
    [false, 'host', 0],
    [false, 'host', 0],
  ]);
});
