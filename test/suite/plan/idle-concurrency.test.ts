import { expect, test } from 'vitest';
import { idleConcurrency } from '../../../src/suite/plan/idle-concurrency.ts';
import type { Agent } from '../../../src/types/agent.ts';
import { anAgentContract, anHttpAgent, planAgents } from '../an-agent.ts';

const ROOT = process.cwd();
const agentAt = (port: number, atOnce: Agent['atOnce']): Agent => anHttpAgent(`http://127.0.0.1:${port}/`, { atOnce });

test.each<[string, readonly Agent[], number, string | null]>([
  [
    'one that may keep state',
    [agentAt(1, null)],
    64,
    'Of 64 trials at once (concurrency) one is used: the agent of this run is asked no more at a time.',
  ],
  [
    'one contract of the same agent more',
    [agentAt(1, null), agentAt(1, null)],
    64,
    'Of 64 trials at once (concurrency) one is used: the agent of this run is asked no more at a time.',
  ],
  [
    'two that take fewer',
    [agentAt(1, 10), agentAt(2, null)],
    64,
    'Of 64 trials at once (concurrency) 11 are used: the 2 agents of this run are asked no more at a time.',
  ],
  [
    'one behind a proxy of a port of its own, which sees one trial at a time',
    [{ ...agentAt(1, 10), proxy: { port: 9000, upstream: null, tools: {} } }],
    64,
    'Of 64 trials at once (concurrency) one is used: the agent of this run is asked no more at a time.',
  ],
  ['one that takes as many', [agentAt(1, 64)], 64, null],
  ['one, where nobody asked for more', [agentAt(1, null)], 32, null],
])('more trials at once than agents let in are told before a run: %s', (_what, agents, concurrency, message) => {
  const contracts = agents.map((agent, at) => anAgentContract(agent, { name: `rules ${at}` }));
  const { plan } = planAgents(contracts, { root: ROOT });
  expect(idleConcurrency(plan, { concurrency }).map((issue) => issue.message)).toEqual(
    message === null ? [] : [message],
  );
});
