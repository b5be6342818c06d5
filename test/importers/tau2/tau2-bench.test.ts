import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { builtinImporters } from '../../../src/importers/builtin.ts';
import { tau2Bench } from '../../../src/importers/tau2/tau2-bench.ts';
import { importAll, sourceAt, sourceOf } from '../import-all.ts';
import { experimentFiles, results, simulation } from '../sources/tau2.ts';

const VOICE = fileURLToPath(new URL('../../../../shared/reference/traces/tau2/voice-experiment', import.meta.url));
const SET = 'llm_agent (model-a), telecom';

function fileOf(simulations: readonly unknown[], told: Readonly<Record<string, unknown>> = {}) {
  return sourceOf({ 'runs.json': JSON.stringify({ ...results(told), simulations }, null, 2) });
}

function only(told: Readonly<Record<string, unknown>>) {
  const { sets, broken } = importAll(tau2Bench, fileOf([simulation(told)]));
  expect(broken).toEqual([]);
  const [run] = sets[SET] ?? [];
  if (run === undefined) throw new Error('There is no run.');
  return run;
}

describe('τ²-bench', () => {
  it('reads a file: task, trial, reward and its parts, costs of agent and user, tokens, gold', () => {
    const source = fileOf([simulation(), simulation({ id: 's-1', trial: 1 })]);
    expect(builtinImporters.find((one) => one.detects(source, {}))).toBe(tau2Bench);
    const { sets, broken, problems } = importAll(tau2Bench, source);
    expect([Object.keys(sets), broken, problems]).toEqual([[SET], [], []]);
    expect(sets[SET]?.map(({ task, attempt, id }) => [task, attempt, id])).toEqual([
      ['7', 0, 's-0'],
      ['7', 1, 's-1'],
    ]);
    expect(sets[SET]?.[0]).toMatchObject({
      scores: [
        { name: 'reward', value: 1 },
        { name: 'DB', value: 1 },
        { name: 'COMMUNICATE', value: 1 },
      ],
      costs: [
        { kind: 'model', name: 'model-a', units: 2, usd: 0.25, usage: { promptTokens: 500, completionTokens: 23 } },
        { kind: 'user', name: 'gpt-4.1', units: 1, usd: 0.05, usage: { promptTokens: 50, completionTokens: 5 } },
      ],
      durationMs: 100_500,
      gold: [{ name: 'reset_line', args: { phone: '1' } }],
      extra: { termination_reason: 'user_stop', seed: 300 },
      unsaid: {},
    });
  });

  it('ties results to calls by their order where ids are empty, and keeps the calls of the user apart', () => {
    const { messages = [] } = only({});
    expect(messages.map(({ role, model, latencyMs }) => [role, model, latencyMs])).toEqual([
      ['assistant', undefined, undefined],
      ['user', undefined, undefined],
      ['tool', undefined, undefined],
      ['assistant', 'model-a', 1500],
      ['tool', undefined, undefined],
      ['tool', undefined, undefined],
      ['assistant', 'model-a', undefined],
    ]);
    expect(messages.flatMap(({ parts }) => parts).filter(({ kind }) => kind === 'tool_result')).toMatchObject([
      { id: 'u1', name: 'check_bars', result: 'no bars' },
      { name: 'find_line', result: { line: 4 } },
      { name: 'reset_line', result: 'Error: no such line', isError: true },
    ]);
  });

  it('leaves results that no call asked for as they are', () => {
    const lost = { role: 'tool', id: '', content: 'x' };
    const { messages } = only({ messages: [lost, lost] });
    expect(messages?.flatMap(({ parts }) => parts)).toMatchObject([
      { id: '', name: '' },
      { id: '', name: '' },
    ]);
  });

  it.each([
    [0.999_999_5, undefined],
    [1.01, false],
    [0, undefined],
  ])('takes a reward of %d as τ²-bench does', (reward, passed) => {
    const [score] = only({ reward_info: { reward } }).scores;
    expect(score).toEqual({ name: 'reward', value: reward, ...(passed !== undefined && { passed }) });
  });

  it.each([
    ['infrastructure_error', 'The infrastructure failed: APIError: 503'],
    ['unexpected_error', 'The harness failed: APIError: 503'],
    ['user_error', 'The simulated user failed: APIError: 503'],
    ['context_window_exceeded', expect.stringContaining('which τ²-bench leaves out: APIError: 503')],
  ])('counts %s as an error, and not the reward of 0 that it has', (termination_reason, error) => {
    const info = { error: '503', error_type: 'APIError' };
    const run = only({ termination_reason, info, reward_info: { reward: 0, info: { note: 'ended early' } } });
    expect([run.error, run.scores]).toEqual([error, []]);
    expect(run.durationMs).toBe(termination_reason === 'infrastructure_error' ? undefined : 100_500);
  });

  it.each([
    ['max_steps', 'failed'],
    ['timeout', 'timed_out'],
    ['too_many_errors', 'failed'],
    ['agent_error', 'failed'],
  ])('lets %s be the doing of the agent', (termination_reason, status) => {
    const run = only({ termination_reason, reward_info: { reward: 0 } });
    expect(run.error).toBeUndefined();
    expect(run).toMatchObject({ ending: { status }, scores: [{ value: 0 }] });
  });

  it('counts an evaluation that crashed as an error: τ²-bench writes a reward of 0', () => {
    const reward_info = { reward: 0, info: { error: 'KeyError: x', note: 'raised' } };
    expect(only({ reward_info })).toMatchObject({ error: 'Its evaluation failed: KeyError: x', scores: [] });
  });

  it('says what is not known: prices of 0, judges, tokens, rewards, messages and tasks', () => {
    expect(
      only({ agent_cost: 0, user_cost: null, reward_info: { reward: 1, reward_basis: ['NL_ASSERTION'] } }),
    ).toMatchObject({
      costs: [{ kind: 'model', usage: { promptTokens: 500 } }, { kind: 'user' }],
      unsaid: {
        cost: 'agent_cost is 0, which τ²-bench writes for a model that it has no price for; the simulation has no user_cost; what the judge of its assertions cost is not kept',
      },
    });
    const bare = only({ task_id: 9, reward_info: null, messages: null, agent_cost: null, user_cost: null });
    expect(bare.costs).toBeUndefined();
    expect(bare).toMatchObject({
      task: '9',
      scores: [],
      unsaid: {
        scores: expect.stringContaining('not evaluated'),
        usage: expect.any(String),
        messages: 'the simulation has no messages',
        gold: 'the results have no such task',
      },
    });
  });

  it('joins what is said in ticks to utterances, with the calls between them', () => {
    const chunk = (content: string | null, ids: readonly string[] = [], contains_speech = true) => ({
      content,
      utterance_ids: ids,
      contains_speech,
    });
    const ticks = [
      { agent_chunk: chunk('Hel', ['1']), user_chunk: chunk(null, [], false) },
      { agent_chunk: chunk('lo.', ['1']), user_chunk: chunk('Wa', ['u']) },
      { agent_chunk: chunk(null), user_chunk: chunk('it', ['u']) },
      { agent_chunk: chunk('Yes?', ['2']), user_chunk: chunk(null, [], false) },
      {
        agent_chunk: chunk(null, [], false),
        agent_tool_calls: [{ id: 'c', name: 'look', arguments: { at: 1 } }],
        agent_tool_results: [{ role: 'tool', id: 'c', content: '7' }],
      },
      { agent_chunk: chunk('Seven.', ['3']) },
    ];
    const { messages } = only({ messages: null, ticks, mode: 'full_duplex' });
    expect(messages?.map(({ role, parts: [part] }) => [role, part])).toEqual([
      ['assistant', { kind: 'text', text: 'Hello. Yes?' }],
      ['user', { kind: 'text', text: 'Wait' }],
      ['assistant', { kind: 'tool_call', id: 'c', name: 'look', args: { at: 1 } }],
      ['tool', { kind: 'tool_result', id: 'c', name: 'look', result: 7 }],
      ['assistant', { kind: 'text', text: 'Seven.' }],
    ]);
  });

  it('reads folders of experiments, and names simulations of the index that are not there', () => {
    const simulation_index = ['s-0', 's-1', 's-2'].map((id) => ({ id, task_id: '7', trial: 0 }));
    const files = experimentFiles([simulation(), simulation({ id: 's-1', trial: 1 })], { simulation_index });
    const other = { ...results(), simulations: [simulation({ id: 'o' })] };
    const source = sourceOf(
      {
        ...Object.fromEntries(Object.entries(files).map(([name, text]) => [`one/${name}`, text])),
        'one/artifacts/x.json': '{"info": 3}',
        'other.json': JSON.stringify(other).replace('telecom', 'retail'),
      },
      'runs',
    );
    expect(builtinImporters.find((one) => one.detects(source, {}))).toBe(tau2Bench);
    const { sets, broken, problems } = importAll(tau2Bench, source);
    expect(broken).toEqual([]);
    expect(
      Object.entries(sets).map(([name, runs]) => [name, runs.map(({ id, gold = [] }) => [id, gold.length])]),
    ).toEqual([
      [
        SET,
        [
          ['s-0', 1],
          ['s-1', 1],
        ],
      ],
      ['llm_agent (model-a), retail', [['o', 1]]],
    ]);
    expect(problems).toMatchObject([{ message: '1 of the simulations in its index are not there, such as "s-2".' }]);
  });

  it('takes the folder where a file of results has none of its runs', () => {
    const source = sourceOf({ 'results.json': JSON.stringify(results()) });
    expect(tau2Bench.detects(source, {})).toBe('folder');
    expect(() => importAll(tau2Bench, source)).toThrow('name the folder of this file');
  });

  it('finds results whose policy is longer than what is looked at, and runs before what is said about them', () => {
    const { info, ...rest } = results();
    const long = { ...info, environment_info: { ...info.environment_info, policy: 'x'.repeat(100_000) } };
    const source = sourceOf({ 'a.json': JSON.stringify({ info: long, ...rest, simulations: [simulation()] }) });
    expect(tau2Bench.detects(source, {})).toBe(true);
    expect(importAll(tau2Bench, source).sets[SET]).toHaveLength(1);
    const turned = sourceOf({ 'a.json': JSON.stringify({ simulations: [simulation()], ...rest, info }) });
    expect(importAll(tau2Bench, turned).sets[SET]).toMatchObject([{ gold: [{ name: 'reset_line' }] }]);
  });

  it('costs a broken simulation itself, and a cut off file its end', () => {
    const whole = JSON.stringify({ ...results(), simulations: [simulation(), { id: 'x' }, simulation({ id: 'y' })] });
    const { sets, broken, problems } = importAll(tau2Bench, sourceOf({ 'a.json': whole.slice(0, -40) }));
    expect(sets).toMatchObject({ [SET]: [{ id: 's-0' }] });
    expect(broken).toEqual(['It has no "task_id".', expect.stringContaining('It is not JSON')]);
    expect(problems).toMatchObject([{ message: 'The file ends in the middle of a value.' }]);
  });

  it.skipIf(!existsSync(VOICE))('reads the published voice experiment, which is not judged and keeps no words', () => {
    const { sets, broken, problems } = importAll(tau2Bench, sourceAt(VOICE));
    expect([broken, problems]).toEqual([[], []]);
    const [[set, runs] = ['', []]] = Object.entries(sets);
    expect(set).toBe('discrete_time_audio_native_agent (openai:gpt-realtime-2), retail');
    expect(runs.map(({ task, attempt, scores, unsaid }) => [task, attempt, scores, unsaid?.messages])).toEqual([
      ['40', 0, [], 'its 973 ticks tell when somebody spoke, not what was said'],
      ['98', 0, [], 'its 1810 ticks tell when somebody spoke, not what was said'],
      ['20', 0, [], 'its 1340 ticks tell when somebody spoke, not what was said'],
    ]);
    expect(runs[0]?.durationMs).toBeCloseTo(352_874.73, 1);
  });
});
