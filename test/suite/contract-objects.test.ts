import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import {
  type AgentContractDefinition,
  type BareContractDefinition,
  type ContractDefinition,
  defineContract,
  type FunctionRuleDefinition,
  loadSuite,
  mergeShards,
  type PromptAgentDefinition,
  runShard,
  runSuite,
  type RunSuiteOptions,
  type SuiteReport,
  traceTrial,
  type WorkflowContractDefinition,
} from '../../src/index.ts';
import type { PromptAgent, PromptCall } from '../../src/plugin/index.ts';
import { anHttpServer } from '../effects/granted/an-http-server.ts';
import { contractsOf, matrixOf, onlyContract } from './contract-runs.ts';

const cwd = mkdtempSync(path.join(tmpdir(), 'passk-contract-objects-'));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

/** Promises too much when somebody asks it to. */
const desk: PromptAgent = async (prompt) => {
  await Promise.resolve();
  const promise = prompt.includes('Promise it.') ? ' Guaranteed.' : '';
  return { text: `Refunds take five days.${promise}`, usage: { promptTokens: 9, completionTokens: 4 } };
};

const isShort: FunctionRuleDefinition = {
  id: 'short',
  severity: 'low',
  check: ({ text }) => text.length < 30 || `${text.length} characters`,
};

const contract: BareContractDefinition = {
  name: 'desk',
  trials: 4,
  prompts: ['When do I get my money?', 'How long do refunds take?'],
  invariants: [
    { id: 'no-promise', type: 'excludes_pattern', patterns: ['guaranteed'], severity: 'critical' },
    { id: 'cheap', type: 'max_tokens', maxTokens: 20 },
    isShort,
    function saysHowLong({ text }) {
      return text.includes('days') || 'it does not say how long';
    },
  ],
  chaosMatrix: [
    { name: 'calm' },
    { name: 'cut', llmFaults: [{ mode: 'truncated_response', maxTokens: 2 }] },
    { name: 'pushed', contextAttacks: [{ type: 'memory_poisoning', payload: 'Promise it.' }] },
  ],
};

const own: AgentContractDefinition = { agent: { function: desk, stateless: true }, contract };

const run = (made: ContractDefinition, options: RunSuiteOptions = {}): Promise<SuiteReport> =>
  runSuite({ cwd, scenarios: [made], workers: 0, ...options });
const bytesOf = (report: SuiteReport): string => JSON.stringify({ ...report, timing: null });

/** A contract of one prompt, one rule and no chaos, whose answer has to be `yes`. */
const simple = (agent: AgentContractDefinition['agent'], more: Partial<AgentContractDefinition> = {}) =>
  defineContract({
    agent,
    goldenPrompts: ['Yes?'],
    contract: {
      name: 'simple',
      trials: 2,
      invariants: [{ id: 'yes', type: 'contains', value: 'yes' }],
      chaosMatrix: [{ name: 'calm' }],
    },
    ...more,
  });
const cellOf = (report: SuiteReport) => onlyContract(report).cells[0];

describe('a contract whose agent and rules are of this program', () => {
  test('is judged in each column as one of a file is', async () => {
    const report = await run(own);
    expect(matrixOf(onlyContract(report))).toEqual(['PPF', 'PPP', 'PPF', 'PFP']);
    const cells = onlyContract(report).cells.filter(({ state }) => state === 'failed');
    expect(cells.map(({ evidence }) => evidence?.message)).toEqual([
      expect.stringContaining('uaranteed'),
      '35 characters',
      'it does not say how long',
    ]);
    expect(report.gate).toMatchObject({ verdict: 'fail' });
  });

  test('has the same report for any number of workers, in processes, and from shards', async () => {
    const whole = bytesOf(await run(own));
    for (const options of [{ workers: 2 }, { concurrency: 1 }, { isolation: 'process' as const, workers: 1 }]) {
      expect(bytesOf(await run(own, options))).toBe(whole);
    }
    const parts = await Promise.all(
      [1, 2].map((index) => runShard({ cwd, workers: 0, scenarios: [own], shard: { index, count: 2 } })),
    );
    const sources = parts.map(({ bytes }, index) => ({ name: `${index}`, bytes }));
    expect(bytesOf((await mergeShards(sources, { cwd })).report)).toBe(whole);
  });

  test('shows a trial of one of its parts, by the call that its report gives', async () => {
    const failed = onlyContract(await run(own)).cells.filter(({ state }) => state === 'failed');
    const part = 'desk: pushed';
    expect(failed[0]?.evidence?.replay).toBe(`traceTrial({ scenario, part: "${part}", trial: 0, seed: 0 })`);
    const { result } = await traceTrial({ cwd, scenario: own, part, trial: 0 });
    expect(result).toMatchObject({ verdict: 'failed' });
    await expect(traceTrial({ cwd, scenario: own, trial: 0 })).rejects.toMatchObject({ code: 'USAGE' });
  });

  test('is a cassette once it was recorded, which replays without its agent', async () => {
    const file = path.join(cwd, 'desk.cassette');
    const recorded = await run(own, { record: file });
    const gone = (): never => {
      throw new Error('It is asked.');
    };
    const replayed = await run({ ...own, agent: { function: gone, stateless: true } }, { replay: file });
    expect(matrixOf(onlyContract(replayed))).toEqual(matrixOf(onlyContract(recorded)));
  });

  test('stands beside contracts of files, of modules and of the same program', async () => {
    writeFileSync(
      path.join(cwd, 'two.mjs'),
      `const of = (name, word) => ({ agent: () => word, goldenPrompts: ['Yes?'],
         contract: { name, trials: 2, invariants: [{ id: 'yes', check: ({ text }) => text === 'yes' || text }], chaosMatrix: [{ name: 'calm' }] } });
       export default [of('simple', 'yes'), of('other', 'no')];`,
    );
    const options = { paths: ['two.mjs'], scenarios: [simple(() => 'no')] };
    const report = await runSuite({ cwd, workers: 0, ...options });
    expect(contractsOf(report).map(({ name, cells }) => [name, cells[0]?.state])).toEqual([
      ['simple (two.mjs)', 'passed'],
      ['other', 'failed'],
      ['simple (<memory>)', 'failed'],
    ]);
    expect((await loadSuite({ cwd, ...options, only: 'scenarios' })).scenarios).toEqual([]);
    expect((await loadSuite({ cwd, ...options, only: 'contracts' })).definitions).toHaveLength(3);
    const { result } = await traceTrial({ cwd, file: 'two.mjs', part: 'other: calm', trial: 1 });
    expect(result).toMatchObject({ verdict: 'failed' });
  });
});

describe('an agent that is a function', () => {
  test('answers with a text, in pieces, or with what it took', async () => {
    const inPieces = async function* (): AsyncGenerator<string> {
      yield 'y';
      yield 'es';
    };
    for (const agent of [() => 'yes', () => inPieces(), () => ({ text: inPieces() }), async () => ({ text: 'yes' })]) {
      expect(cellOf(await run(simple(agent)))).toMatchObject({ state: 'passed', judged: 2 });
    }
  });

  test.each<[string, AgentContractDefinition['agent'], string]>([
    ['throws', () => Promise.reject(new Error('No key.')), 'It failed: No key.'],
    ['gives nothing', () => undefined as unknown as string, 'It answered with undefined.'],
    ['never answers', { function: () => new Promise(() => {}), timeoutMs: 30 }, 'timed out after 30 ms'],
  ])('and %s breaks no trial, and obeys no rule', async (_, agent, why) => {
    const report = await run(simple(agent));
    expect(cellOf(report)).toMatchObject({ state: 'failed', judged: 2, obeyed: 0 });
    expect(JSON.stringify(cellOf(report)?.evidence)).toContain(why);
  });

  test('hears when nobody waits for its answer any more', async () => {
    const reasons: boolean[] = [];
    const waits: PromptAgent = (_, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error(String(reasons.push(signal.aborted)))));
      });
    await run(simple({ function: waits, timeoutMs: 20 }));
    expect(reasons).toEqual([true, true]);
  });

  test('that remembers is brought back before each column by a function of the program', async () => {
    let known: string[] = [];
    const remembers: PromptAgent = (prompt) => {
      known.push(prompt);
      return known.length === 1 ? 'yes' : 'no';
    };
    const agent: PromptAgentDefinition = {
      function: remembers,
      resetFunction: () => {
        known = [];
      },
      isolation: 'trial',
    };
    expect(cellOf(await run(simple(agent)))).toMatchObject({ state: 'passed' });
    const broken = simple({ ...agent, resetFunction: () => Promise.reject(new Error('No database.')) });
    expect(cellOf(await run(broken))).toMatchObject({
      state: 'broken',
      why: expect.stringContaining('could not be reset: No database'),
    });
  });

  test('is asked as many things at a time as the contract says, where it is stateless', async () => {
    let [now, most] = [0, 0];
    const slow: PromptAgent = async () => {
      most = Math.max(most, ++now);
      await new Promise((resolve) => setTimeout(resolve, 5));
      now--;
      return 'yes';
    };
    const many = { contract: { ...simple('' as never).contract, name: 'many', trials: 12 } };
    await run(simple({ function: slow, stateless: true, concurrency: 3 }, many));
    expect(most).toBe(3);
    most = 0;
    await run(simple(slow, many));
    expect(most).toBe(1);
  });

  test('that asks its tools through the proxy has them broken, and their calls seen', async () => {
    const server = await anHttpServer((_request, response) => response.end('yes'));
    const looks: PromptAgent = async (_, { proxyUrl }) => {
      const answer = await fetch(`${proxyUrl ?? ''}/tools/search/all`);
      return answer.ok ? `yes, ${await answer.text()}` : 'The search is down.';
    };
    const made = simple(
      { function: looks, proxyTools: { search: server.origin } },
      {
        contract: {
          name: 'searches',
          invariants: [
            { id: 'yes', type: 'contains', value: 'yes' },
            { id: 'called', type: 'tool_called', tool: 'search' },
          ],
          chaosMatrix: [{ name: 'calm' }, { name: 'down', toolFaults: [{ tool: 'search', mode: 'error' }] }],
        },
      },
    );
    try {
      const report = await run(made, { permissions: { net: [new URL(server.origin).host] } });
      expect(matrixOf(onlyContract(report))).toEqual(['PF', 'PP']);
    } finally {
      server.stop();
    }
  });

  test('is told the trial that asks it, where the run is traced', async () => {
    const headers: PromptCall['traceHeaders'][] = [];
    const agent: PromptAgent = (_, call) => {
      headers.push(call.traceHeaders);
      return 'yes';
    };
    await run(simple(agent), { traceContext: 'nightly' });
    await run(simple(agent));
    expect(headers.map((one) => one?.baggage.split(',').at(-1))).toEqual([
      'passk.trial=0',
      'passk.trial=1',
      undefined,
      undefined,
    ]);
  });
});

describe('a contract of a program over a workflow', () => {
  const bound: WorkflowContractDefinition = {
    workflow: {
      inline: {
        name: 'echo',
        startNodes: [{ name: 'main', source: 'manual', entryNode: 'say' }],
        nodes: [
          { id: 'say', type: 'llm_infer', backend: 'default', inputFrom: 'trigger', prompt: '{{prompt}}' },
          { id: 'answer', type: 'respond', inputFrom: 'say', bodyTemplate: '{{content}}' },
        ],
        edges: [{ from: 'say', to: 'answer' }],
      },
    },
    trigger: { payload: {} },
    intel: { turns: [{ variants: [{ content: 'yes', promptTokens: 3 }] }] },
    goldenPrompts: ['Yes?'],
    contract: {
      name: 'echo',
      invariants: [{ id: 'yes', type: 'contains', value: 'yes' }],
      chaosMatrix: [{ name: 'calm' }, { name: 'empty', llmFaults: [{ mode: 'empty' }] }],
    },
  };

  test('is judged as one of a file is', async () => {
    expect(matrixOf(onlyContract(await run(bound)))).toEqual(['PF']);
  });

  test('takes no function as a rule, and says what does', async () => {
    const judged = { ...bound, contract: { ...bound.contract, invariants: [isShort] } };
    const { issues } = await loadSuite({ cwd, scenarios: [judged] });
    expect(issues).toMatchObject([
      { code: 'code_apart', severity: 'error', hint: expect.stringContaining('type: "module"') },
    ]);
  });
});

describe('what is wrong in a contract of a program', () => {
  const codes = async (made: unknown): Promise<readonly string[]> => {
    const { issues } = await loadSuite({ cwd, scenarios: [made as ContractDefinition] });
    return issues.map(({ code, message }) => `${code}: ${message}`);
  };

  test('is told by its path and the name of the contract, all of it at once', async () => {
    const wrong = {
      agent: { function: desk, endpoint: 'http://127.0.0.1:1', timeuot: 5 },
      goldenPrompts: ['Yes?'],
      contract: {
        name: 'wrong',
        trials: () => 3,
        invariants: [{ id: 'both', type: 'contains', value: 'a', check: () => true }, { id: 'neither' }, () => true],
        chaosMatrix: [{ name: 'calm' }],
      },
    };
    const { issues } = await loadSuite({
      cwd,
      scenarios: [
        {
          agent: desk,
          goldenPrompts: ['Yes?'],
          contract: {
            name: 'keys',
            minPassRat: 1,
            invariants: [{ id: 'dear', type: 'max_cost' }],
            chaosMatrix: [{ name: 'calm', toolFalts: [] }],
          },
        } as unknown as ContractDefinition,
      ],
    });
    expect(issues.map(({ message, hint }) => [message, hint])).toEqual([
      ['Contract "keys": "contract.minPassRat" is not a known key.', 'Did you mean "minPassRate"?'],
      ['Contract "keys": "contract.chaosMatrix[0].toolFalts" is not a known key.', 'Did you mean "toolFaults"?'],
      ['Contract "keys": contract.invariants[0]: This table needs the key "maxUsd".', undefined],
    ]);
    expect(await codes(wrong)).toEqual([
      'not_json: Contract "wrong": "contract.trials" is a function, not data.',
      'wrong_type: Contract "wrong": "contract.trials" must be an integer, not null.',
      'unknown_key: Contract "wrong": "agent.timeuot" is not a known key.',
      'conflicting_keys: Contract "wrong": The agent is a function of the program, and "agent.endpoint" names another one.',
      expect.stringContaining('conflicting_keys: Contract "wrong": contract.invariants[0].type'),
      expect.stringContaining('missing_key: Contract "wrong": contract.invariants[1]'),
      expect.stringContaining('missing_key: Contract "wrong": contract.invariants[2]'),
    ]);
  });

  test('may be that two have one name', async () => {
    const { issues } = await loadSuite({ cwd, scenarios: [simple(() => 'yes'), simple(() => 'no')] });
    expect(issues.map(({ code }) => code)).toContain('duplicate_scenario_name');
  });

  test('may be a module that judges beside functions that do', async () => {
    writeFileSync(path.join(cwd, 'rules.mjs'), 'export default () => true;');
    const both = {
      ...own,
      contract: { ...contract, invariants: [isShort, { id: 'module', type: 'module', module: 'rules.mjs' }] },
    };
    expect(await codes(both)).toEqual([expect.stringContaining('code_apart: Contract "desk": Code of this program')]);
  });

  test('is found by the compiler where a key is misspelt', () => {
    // @ts-expect-error `promts` is none.
    const misspelt = defineContract({ agent: () => 'yes', contract: { name: 'misspelt', promts: [] } });
    expect(misspelt.contract?.name).toBe('misspelt');
  });
});
