import { describe, expect, it } from 'vitest';
import { atif } from '../../src/importers/atif/atif.ts';
import { builtinImporters } from '../../src/importers/builtin.ts';
import { harbor } from '../../src/importers/harbor.ts';
import { importAll, sourceOf } from './import-all.ts';
import { exception, jobFiles, trialResult } from './sources/harbor.ts';

const SET = 'claude-code 2.0.1 (anthropic/model-a)';

function read(trials: Readonly<Record<string, unknown>>) {
  return importAll(harbor, sourceOf(jobFiles(trials), 'jobs'));
}

function only(trial: Readonly<Record<string, unknown>>) {
  const { sets, broken } = read({ a: trialResult(trial) });
  expect(broken).toEqual([]);
  const [run] = Object.values(sets).flat();
  if (run === undefined) throw new Error('There is no run.');
  return run;
}

describe('Harbor', () => {
  it('is found by a trial in a folder, and not by a folder of trajectories or of other results', () => {
    const source = sourceOf(jobFiles({ a: trialResult() }), 'jobs');
    expect(builtinImporters.find((one) => one.detects(source, {}))).toBe(harbor);
    expect(harbor.detects(sourceOf({ 'result.json': '{"accuracy": 1}' }, 'x'), {})).toBe(false);
    expect(atif.detects(source, {})).toBe(true);
  });

  it('reads each trial as an attempt at its task, with rewards, price, tokens and the trajectory', () => {
    const { sets, broken, problems } = read({
      a: trialResult(),
      b: trialResult({ verifier_result: { rewards: { reward: 0 } } }),
    });
    expect([broken, problems]).toEqual([[], []]);
    expect(Object.keys(sets)).toEqual([SET]);
    expect(sets[SET]?.map(({ task, scores }) => [task, scores[0]])).toEqual([
      ['fix-git@abcdef01', { name: 'reward', value: 1 }],
      ['fix-git@abcdef01', { name: 'reward', value: 0 }],
    ]);
    expect(sets[SET]?.[0]).toMatchObject({
      id: 'fix-git__AbC123',
      scores: [{ name: 'reward' }, { name: 'lint', value: 0.5 }],
      costs: [
        {
          kind: 'model',
          name: 'model-a',
          usd: 0.25,
          usage: { promptTokens: 1200, completionTokens: 80, cachedTokens: 900 },
        },
      ],
      durationMs: 120_000,
      messages: expect.arrayContaining([expect.objectContaining({ role: 'assistant', model: 'model-b' })]),
    });
  });

  it('keeps agents, their versions and models, and tasks of other contents apart', () => {
    const other = trialResult({
      agent_info: { name: 'claude-code', version: '2.0.1', model_info: { name: 'model-b' } },
    });
    const { sets } = read({ a: trialResult(), b: other, c: trialResult({ task_checksum: 'ffff0000ffff' }) });
    expect(Object.keys(sets)).toEqual([SET, 'claude-code 2.0.1 (model-b)']);
    expect(sets[SET]?.map(({ task }) => task)).toEqual(['fix-git@abcdef01', 'fix-git@ffff0000']);
  });

  it.each([
    [
      'a failed environment',
      { exception_info: exception('EnvironmentStartTimeoutError') },
      'EnvironmentStartTimeoutError: it ended',
    ],
    ['an exception that nobody knows', { exception_info: exception('KeyError') }, 'KeyError: it ended'],
    ['no reward', { verifier_result: { rewards: null } }, 'Its verifier gave no reward.'],
    ['no verifier', { verifier_result: null }, 'Its verifier gave no reward.'],
    [
      'a timeout without a reward',
      { verifier_result: null, exception_info: exception('AgentTimeoutError') },
      'Its verifier gave no reward. AgentTimeoutError: it ended',
    ],
    [
      'a failed step',
      { step_results: [{ step_name: 's', exception_info: exception('ApiError') }] },
      'ApiError: it ended',
    ],
  ])('counts %s as an error of the run', (_, trial, error) => {
    expect(only(trial).error).toBe(error);
  });

  it.each([
    ['AgentTimeoutError', 'timed_out'],
    ['AgentSafetyRefusalError', 'failed'],
  ])('lets the reward stand where %s is the doing of the agent, as Harbor does', (type, status) => {
    const run = only({ exception_info: exception(type) });
    expect(run.error).toBeUndefined();
    expect(run).toMatchObject({ ending: { status }, scores: [{ value: 1 }, {}] });
  });

  it('adds the rewards of steps, and what their agents cost', () => {
    const step = (step_name: string) => ({
      step_name,
      agent_result: { n_input_tokens: 10, n_output_tokens: 1, cost_usd: 0.5 },
      verifier_result: { rewards: { reward: 0.25 } },
    });
    expect(only({ agent_result: null, step_results: [step('plan'), step('do')] })).toMatchObject({
      scores: [{ name: 'reward' }, { name: 'lint' }, { name: 'plan/reward', value: 0.25 }, { name: 'do/reward' }],
      costs: [{ usd: 0.5 }, { usd: 0.5 }],
    });
  });

  it('lists what each model cost where the agent says so', () => {
    const model_usage = {
      big: { n_input_tokens: 5, n_output_tokens: 1, cost_usd: 1 },
      small: { n_input_tokens: 2, n_output_tokens: 1, cost_usd: null },
    };
    expect(only({ agent_result: { n_input_tokens: 7, cost_usd: 1, model_usage } }).costs).toMatchObject([
      { name: 'big', usd: 1 },
      { name: 'small', usage: { promptTokens: 2 } },
    ]);
  });

  it('refuses rewards that are no numbers, and costs a broken result itself, in the only set there is', () => {
    const { sets, broken } = read({
      a: trialResult(),
      b: trialResult({ verifier_result: { rewards: { reward: '1' } } }),
      c: JSON.stringify(trialResult()).slice(0, 60),
    });
    expect(Object.keys(sets)).toEqual([SET]);
    expect(sets[SET]).toHaveLength(1);
    expect(broken).toEqual(['The reward "reward" is no number.', expect.stringContaining('It is not JSON')]);
  });

  it('names a trial that did not come to its end, and one whose trajectory cannot be read', () => {
    const { 'one/a/result.json': _, ...files } = jobFiles({ a: trialResult(), b: trialResult() });
    const { sets, problems } = importAll(harbor, sourceOf({ ...files, 'one/b/agent/trajectory.json': '{' }, 'jobs'));
    expect(problems).toMatchObject([{ message: 'The trial has no result.json: it did not come to its end.' }]);
    expect(sets[SET]).toMatchObject([
      { scores: [{ value: 1 }, {}], unsaid: { messages: expect.stringContaining('cannot be read') } },
    ]);
  });

  it('reads one trial by itself, and jobs in a folder called logs', () => {
    const alone = sourceOf({ 'result.json': JSON.stringify(trialResult()) });
    expect(harbor.detects(alone, {})).toBe(true);
    expect(importAll(harbor, alone).sets[SET]).toHaveLength(1);
    const renamed = Object.entries(jobFiles({ a: trialResult() })).map(([name, text]) => [
      name.replace(/^one/, 'logs'),
      text,
    ]);
    expect(importAll(harbor, sourceOf(Object.fromEntries(renamed), 'jobs')).sets[SET]).toHaveLength(1);
  });
});
