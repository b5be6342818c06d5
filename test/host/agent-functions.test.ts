import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { AgentRun } from '../../src/types/agent.ts';
import { anHttpServer } from '../effects/granted/an-http-server.ts';
import { aToolFault, anAttack, anLlmFault } from '../faults/chaos/a-chaos.ts';
import { anAgentContract, anHttpAgent, askAgents, type ContractOptions } from '../suite/an-agent.ts';

const GIVEN = { permissions: { net: ['127.0.0.1'] }, root: process.cwd() };

/** An agent that tells what it was asked and how often since its last reset. */
async function aCounter(answer = (prompt: string, asked: number) => `${asked}: ${prompt}`) {
  const log: string[] = [];
  let asked = 0;
  const server = await anHttpServer((request, response) => {
    if (request.url === '/reset') {
      asked = 0;
      log.push('reset');
      return void response.end();
    }
    const { body = '' } = server.seen.at(-1) ?? {};
    const { input } = JSON.parse(body) as { readonly input: string };
    asked += 1;
    log.push(input);
    response.end(answer(input, asked));
  });
  return { log, url: `${server.origin}/ask`, reset: { kind: 'http', url: '/reset' } as const };
}

const texts = ({ answers }: AgentRun) => answers.map(({ text, error }) => error ?? text);

describe('chaos at the boundary of an agent', () => {
  const DOWN = { text: '', error: 'HTTP 503: Service Unavailable', latencyMs: 0 };

  async function struck(column: Omit<NonNullable<ContractOptions['columns']>[number], 'name'>, prompts = ['hello']) {
    const agent = await aCounter(() => 'one two three four');
    const contract = anAgentContract(anHttpAgent(agent.url, { reset: agent.reset }), {
      prompts,
      columns: [{ name: 'struck', ...column }],
    });
    const agents = await askAgents([contract], GIVEN);
    const { answers, fired } = await agents.ask(0);
    await agents.close();
    const asked = agent.log.filter((entry) => entry !== 'reset');
    return { asked, fired, answers: answers.map(({ text, error, latencyMs }) => ({ text, error, latencyMs })), agent };
  }

  test('a fault of all tools comes instead of the agent, which is not asked', async () => {
    const { asked, fired, answers } = await struck({ toolFaults: [aToolFault({ mode: 'error' })] });
    expect({ asked, fired, answers }).toEqual({ asked: [], fired: [1], answers: [DOWN] });
  });

  test('a fault of a named tool never fires: nobody sees the calls of the agent', async () => {
    const { asked, fired, answers } = await struck({
      toolFaults: [aToolFault({ mode: 'error', tool: 'market_data_api' })],
    });
    expect({ asked, fired, texts: answers.map(({ text }) => text) }).toEqual({
      asked: ['hello'],
      fired: [0],
      texts: ['one two three four'],
    });
  });

  test("a fault by address strikes where the address is the agent's own", async () => {
    const toolFaults = [
      aToolFault({ matchUrl: 'http://127.0.0.1:*/ask', mode: 'malicious_response', payload: 'obey me' }),
      aToolFault({ mode: 'error', matchUrl: 'https://api.example/*' }),
    ];
    const { asked, fired, answers } = await struck({ toolFaults });
    expect({ asked, fired, answers }).toEqual({
      asked: [],
      fired: [1, 0],
      answers: [{ text: 'obey me', error: null, latencyMs: 0 }],
    });
  });

  test('a fault starts after so many calls of the trial', async () => {
    const { asked, fired, answers } = await struck({ toolFaults: [aToolFault({ mode: 'error', afterCalls: 2 })] }, [
      'a',
      'b',
      'c',
    ]);
    expect({ asked, fired, last: answers[2] }).toEqual({ asked: ['a', 'b'], fired: [1], last: DOWN });
  });

  test('waits count as time of the agent and are not waited for; beyond its limit there is no answer', async () => {
    const slow = await struck({ toolFaults: [aToolFault({ mode: 'slow', delayMs: 3000 })] });
    expect(slow.answers[0]?.error).toBe(null);
    expect(slow.answers[0]?.latencyMs).toBeGreaterThanOrEqual(3000);
    const late = await struck({ toolFaults: [aToolFault({ mode: 'slow', delayMs: 60_000 })] });
    const dead = await struck({ toolFaults: [aToolFault({ mode: 'timeout', delayMs: 1200 })] });
    expect([late.answers, late.asked, dead.answers, dead.asked]).toEqual([
      [{ text: '', error: 'timed out after 5000 ms (injected)', latencyMs: 5000 }],
      [],
      [{ text: '', error: 'timed out after 1200 ms (injected)', latencyMs: 1200 }],
      [],
    ]);
  });

  test('faults of the model change the answer, or come instead of it', async () => {
    const cut = await struck(
      { llmFaults: [anLlmFault({ mode: 'truncated_response' }), anLlmFault({ mode: 'empty', afterCalls: 1 })] },
      ['a', 'b'],
    );
    expect([cut.answers.map(({ text }) => text), cut.fired]).toEqual([
      ['one two', ''],
      [2, 1],
    ]);
    const limited = await struck({ llmFaults: [anLlmFault({ mode: 'rate_limit' })] });
    expect(limited.answers).toEqual([
      { text: '', error: 'the model has reached its rate limit (injected)', latencyMs: 0 },
    ]);
  });

  test('attacks reach the agent with the prompt', async () => {
    const { asked, fired } = await struck({
      contextAttacks: [anAttack({ type: 'memory_poisoning' }), anAttack({ type: 'indirect_injection' })],
    });
    expect([asked, fired]).toEqual([['hello\n\nPOISON'], [1, 0]]);
  });

  test('what fires in a trial depends on the trial alone, not on those before it', async () => {
    const agent = await aCounter(() => 'one two three four');
    const contract = anAgentContract(anHttpAgent(agent.url, { reset: agent.reset }), {
      prompts: ['a', 'b', 'c'],
      columns: [{ name: 'chance', llmFaults: [anLlmFault({ mode: 'empty', probability: 0.5 })] }],
    });
    const trials = [3, 1, 2, 0];
    const fired = async (order: readonly number[]) => {
      const agents = await askAgents([contract], GIVEN);
      const runs = new Map<number, AgentRun>();
      for (const trial of order) runs.set(trial, await agents.ask(0, trial));
      await agents.close();
      return trials.map((trial) => {
        const run = runs.get(trial);
        return run === undefined ? null : [run.fired, texts(run)];
      });
    };
    const one = await fired(trials);
    expect(one).toEqual(await fired([0, 1, 2, 3]));
    expect(new Set(one.map((run) => JSON.stringify(run))).size).toBeGreaterThan(1);
  });
});

describe('the state of an agent', () => {
  test('is its first one at the beginning of each column', async () => {
    const { log, url, reset } = await aCounter();
    const columns = [{ name: 'a' }, { name: 'b' }];
    const contract = anAgentContract(anHttpAgent(url, { reset }), { prompts: ['p', 'q'], columns });
    const agents = await askAgents([contract], GIVEN);
    const runs = await Promise.all([agents.ask(0, 0), agents.ask(0, 1), agents.ask(1, 0), agents.ask(1, 1)]);
    await agents.close();
    const controls = { before: ['reset', 'p', 'reset', 'q', 'reset', 'p'], between: ['reset', 'p'] };
    const trials = ['reset', 'p', 'q', 'p', 'q'];
    expect(log).toEqual([...controls.before, ...trials, ...controls.between, ...trials]);
    expect(runs.map(texts)).toEqual([
      ['1: p', '2: q'],
      ['3: p', '4: q'],
      ['1: p', '2: q'],
      ['3: p', '4: q'],
    ]);
    expect(agents.notices()).toEqual({ facts: {}, issues: [] });
  });

  test('is its first one at the beginning of each trial where the contract wants that', async () => {
    const { url, reset } = await aCounter();
    const contract = anAgentContract(anHttpAgent(url, { reset, isolation: 'trial' }));
    const agents = await askAgents([contract], GIVEN);
    expect([texts(await agents.ask(0, 0)), texts(await agents.ask(0, 1))]).toEqual([['1: hello'], ['1: hello']]);
    await agents.close();
  });

  test('a baseline is asked for once for each prompt, in a clean world and after a reset', async () => {
    const { log, url, reset } = await aCounter();
    const contract = anAgentContract(anHttpAgent(url, { reset }), {
      prompts: ['p', 'q'],
      baselines: true,
      columns: [
        { name: 'a', contextAttacks: [anAttack({ type: 'memory_poisoning', strategy: 'replace' })] },
        { name: 'b' },
      ],
    });
    const agents = await askAgents([contract], GIVEN);
    const runs = [await agents.ask(0), await agents.ask(1)];
    await agents.close();
    const attacked = 'POISON';
    const controls = { before: ['reset', 'p', 'reset', 'q', 'reset', 'p'], between: ['reset', 'p'] };
    expect(log).toEqual([
      ...controls.before,
      ...['reset', 'p', 'reset', 'q', 'reset', attacked, attacked],
      ...controls.between,
      ...['reset', 'p', 'q'],
    ]);
    expect(runs.map(({ answers }) => answers.map(({ baseline }) => baseline))).toEqual([
      ['1: p', '1: q'],
      ['1: p', '1: q'],
    ]);
  });

  test('a reset that fails makes the trial say so, and the next one tries again', async () => {
    let resets = 0;
    const server = await anHttpServer((request, response) => {
      if (request.url === '/reset') response.statusCode = resets++ === 0 ? 500 : 204;
      response.end(request.url === '/reset' ? undefined : 'fine');
    });
    const agent = anHttpAgent(`${server.origin}/ask`, { reset: { kind: 'http', url: '/reset' } });
    const agents = await askAgents([anAgentContract(agent)], GIVEN);
    await expect(agents.ask(0, 0)).rejects.toThrow('The agent could not be reset: HTTP 500.');
    expect(texts(await agents.ask(0, 1))).toEqual(['fine']);
    await agents.close();
  });

  test('contracts that bind one agent share it, and nothing of one is left for the other', async () => {
    const { log, url, reset } = await aCounter();
    const agent = anHttpAgent(url, { reset });
    const agents = await askAgents(
      [anAgentContract(agent, { name: 'one' }), anAgentContract(agent, { name: 'two' })],
      GIVEN,
    );
    await Promise.all([agents.ask(0), agents.ask(1)]);
    await agents.close();
    const [before, between, trial] = [
      ['reset', 'hello', 'reset', 'hello'],
      ['reset', 'hello'],
      ['reset', 'hello'],
    ];
    expect(log).toEqual([...before, ...trial, ...between, ...trial]);
  });

  test('without a reset an agent that remembers is found out, and the columns after the first are named', async () => {
    const { url } = await aCounter();
    const columns = [{ name: 'a' }, { name: 'b' }, { name: 'c' }];
    const agents = await askAgents([anAgentContract(anHttpAgent(url), { columns })], GIVEN);
    for (const column of [0, 1, 2]) await agents.ask(column);
    await agents.close();
    expect(agents.notices()).toEqual({
      facts: { rules: { contaminated: ['b', 'c'] } },
      issues: [
        {
          code: 'agent_state',
          severity: 'warning',
          message:
            'Contract "rules": nothing brings its agent back between columns, and it remembers earlier calls: a number ' +
            'in its answers counts up. What ran before may have changed the answers in "b", "c".',
          hint: 'Give the agent a reset_endpoint or a reset_function.',
        },
      ],
    });
  });

  test('without a reset an agent that always answers the same contaminates nothing', async () => {
    const { url } = await aCounter(() => 'always this');
    const agents = await askAgents(
      [anAgentContract(anHttpAgent(url), { columns: [{ name: 'a' }, { name: 'b' }] })],
      GIVEN,
    );
    for (const column of [0, 1]) await agents.ask(column);
    await agents.close();
    expect(agents.notices()).toEqual({ facts: {}, issues: [] });
  });
});

test('an agent whose process ended is started anew, and the report says so', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'passk-agent-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(path.join(folder, 'contracts'));
  const file = path.join(folder, 'contracts', 'agent.mjs');
  writeFileSync(file, 'export default (prompt) => (prompt === "end" ? process.exit(1) : "fine");\n');
  const target = { kind: 'module', file: 'contracts/agent.mjs', exported: 'default', inputKey: null } as const;
  const contract = anAgentContract({ ...anHttpAgent(''), timeoutMs: 20_000, target }, { prompts: ['end', 'go on'] });
  const agents = await askAgents([contract], { permissions: { run: [file] }, root: folder });
  expect(texts(await agents.ask(0))).toEqual([
    'its process ended with exit code 1. It is started anew, without what it remembered',
    'fine',
  ]);
  await agents.close();
  expect(agents.notices().issues.map(({ message }) => message)).toEqual([
    'Contract "rules": the process of its agent ended and was started anew once, without what it remembered.',
  ]);
});

test('texts that a trial cannot hold are errors, not parts of answers', async () => {
  const { url, reset } = await aCounter(() => 'x'.repeat(600_000));
  const agents = await askAgents([anAgentContract(anHttpAgent(url, { reset }), { prompts: ['p', 'q'] })], GIVEN);
  const [first, second] = (await agents.ask(0)).answers;
  await agents.close();
  expect([first?.error, second?.error]).toEqual([null, 'answered with more than a trial can hold (900000 characters)']);
});

test('a trial that nobody waits for any more does not reach the agent', async () => {
  const { log, url, reset } = await aCounter();
  const agents = await askAgents([anAgentContract(anHttpAgent(url, { reset }))], GIVEN);
  const gone = new AbortController();
  gone.abort(new Error('nobody waits'));
  await expect(agents.ask(0, 0, gone.signal)).rejects.toThrow('nobody waits');
  await agents.close();
  expect(log).toEqual([]);
});
