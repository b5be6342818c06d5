import { NOTHING } from '../effects/granted/a-disk.ts';
import { expect, onTestFinished, test } from 'vitest';
import { createRunner } from '../../src/suite/runner.ts';
import { anHttpServer } from '../effects/granted/an-http-server.ts';
import { aToolFault } from '../faults/chaos/a-chaos.ts';
import { anAgentContract, anHttpAgent, planAgents } from './an-agent.ts';

const ROOT = process.cwd();

async function run(parts: Parameters<typeof planAgents>[0], net: readonly string[], workers = 1) {
  const permissions = { ...NOTHING, net };
  const { plan, options } = planAgents(parts, { root: ROOT, permissions, workers });
  const runner = createRunner(options);
  onTestFinished(() => runner.close());
  const { scenarios, ...result } = await runner.run(plan, options);
  const tallies = scenarios.map(({ tally }) => tally);
  const counts = tallies.map((tally) => [tally.executed, tally.passed, tally.broken]);
  const details = tallies.flatMap((tally) => tally.shown.map(({ detail }) => JSON.parse(detail) as unknown));
  return { counts, details, ...result };
}

test.each([0, 2])('trials of a contract ask its agent over HTTP, with %i workers', async (workers) => {
  const server = await anHttpServer((_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end('{"output": "Hello, said the agent."}');
  });
  const agent = anHttpAgent(`${server.origin}/ask`);
  const contract = anAgentContract(agent, {
    trials: 5,
    columns: [{ name: 'calm' }, { name: 'down', toolFaults: [aToolFault({ mode: 'error' })] }],
    expected: { values: [{ test: { kind: 'equals', value: 'Hello, said the agent.' } }] },
  });
  const { counts, notices, agents } = await run([contract], [`127.0.0.1:${server.port}`], workers);
  expect({ counts, notices, agents }).toEqual({
    counts: [
      [5, 5, 0],
      [5, 0, 0],
    ],
    notices: [],
    agents: {},
  });
});

test('an agent that is not granted is refused before the first trial, with the flag that grants it', async () => {
  const contract = anAgentContract(anHttpAgent('http://127.0.0.1:4711/ask'));
  await expect(run([contract], [])).rejects.toMatchObject({
    code: 'USAGE',
    message: 'A request to 127.0.0.1:4711 needs --allow-net=127.0.0.1:4711.',
  });
});
