import process from 'node:process';
import { expect, test } from 'vitest';
import { McpAskers, McpServersMet } from '../../src/queue/mcp-askers.ts';
import { resolveRunOptions } from '../../src/settings/options.ts';
import { prepareRun } from '../../src/suite/run-suite.ts';
import { mcpUsers } from '../../src/trial/mcp-users.ts';
import type { RunPlan } from '../../src/types/plan.ts';
import { askingOnce, aServer } from '../effects/granted/an-mcp-server.ts';

test('a host tells which of the scenarios that name a server have blocks left, and nothing where none names one', async () => {
  const { plan, none } = await plans();
  expect(new McpAskers(plan).encode(() => new Set([0, 2, 7]))).toBe('[0,2]');
  expect(new McpAskers(none).encode(() => new Set([0]))).toBe(null);
});

test('a worker keeps any server until the host tells more, then those that a scenario left may ask', async () => {
  const { plan } = await plans();
  const [first, second] = mcpUsers(plan).map(({ identity }) => identity);
  const stop = new AbortController();
  const met = new McpServersMet(stop.signal);
  // The claim holds the last two scenarios of the plan alone.
  met.meet({ plan: { ...plan, scenarios: part(plan, [1, 2]) }, blocks: [], positions: [1, 2] });
  expect(met.servers.needed).toBe(null);
  met.hear('[0,1,2]');
  expect(met.servers.needed).toEqual([second, first]);
  const before = met.servers.needed;
  met.hear('[0,1,2]');
  expect(met.servers.needed).toBe(before);
  for (const garbage of ['x', '[1.5]', '["0"]', '{}', 'null', null, 5, '[-1]']) met.hear(garbage);
  expect(met.servers.needed).toBe(before);
  met.hear('[2]');
  expect(met.servers.needed).toEqual([first]);
  met.meet({ plan: { ...plan, scenarios: part(plan, [1]) }, blocks: [], positions: [1] });
  expect(met.servers.needed).toEqual([first]);
  stop.abort();
  expect(met.servers.needed).toEqual([]);
});

/** Two scenarios with one server and one with another between them; and a plan without any. */
async function plans(): Promise<{ readonly plan: RunPlan; readonly none: RunPlan }> {
  const one = aServer('good');
  const permissions = { run: [process.execPath] };
  const scenarios = [one, aServer('chatty'), one].map((server, at) => ({ ...askingOnce(server, 1), name: `s${at}` }));
  const { plan } = await prepareRun(resolveRunOptions({ scenarios, permissions }));
  return { plan, none: { ...plan, scenarios: plan.scenarios.map(({ effects: _, ...one }) => one) } };
}

function part(plan: RunPlan, positions: readonly number[]): RunPlan['scenarios'] {
  return plan.scenarios.filter(({ index }) => positions.includes(index)).map((one, index) => ({ ...one, index }));
}
