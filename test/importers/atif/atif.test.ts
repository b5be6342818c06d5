import { describe, expect, it } from 'vitest';
import { atif } from '../../../src/importers/atif/atif.ts';
import { importAll, sourceOf } from '../import-all.ts';
import { TRAJECTORY } from '../sources/atif.ts';

const [SYSTEM, USER, LOOKUP, ANSWER] = TRAJECTORY.steps;
const SET = 'harbor-agent 1.2.0 (model-a)';

function read(...trajectories: readonly unknown[]) {
  const files = trajectories.map((one, at) => [`${at}.json`, JSON.stringify(one)] as const);
  return importAll(atif, sourceOf(Object.fromEntries(files)));
}

function only(trajectory: unknown) {
  const { sets, broken, problems } = read(trajectory);
  expect([broken, problems]).toEqual([[], []]);
  const [run, ...more] = Object.values(sets).flat();
  expect(more).toEqual([]);
  if (run === undefined) throw new Error('There is no run.');
  return run;
}

describe('ATIF', () => {
  it.each(['1.0', '1.5', '1.6', '1.7', '1.8'])('is found by its version, such as %s', (version) => {
    const text = JSON.stringify({ ...TRAJECTORY, schema_version: `ATIF-v${version}` });
    expect(atif.detects(sourceOf({ 'trajectory.json': text }), {})).toBe(true);
  });

  it.each(['ATIF-v2.0', 'passk', 1.6])('is not what calls itself %s', (schema_version) => {
    expect(atif.detects(sourceOf({ 'a.json': JSON.stringify({ ...TRAJECTORY, schema_version }) }), {})).toBe(false);
  });

  it('is a run of its agent with messages, calls, results, prices and tokens', () => {
    const { sets } = read(TRAJECTORY);
    expect(sets[SET]).toEqual([
      {
        task: 'What does it cost?',
        id: 'session-1',
        scores: [],
        messages: [
          { role: 'system', parts: [{ kind: 'text', text: 'Be brief.' }] },
          { role: 'user', parts: [{ kind: 'text', text: 'What does it cost?' }] },
          {
            role: 'assistant',
            model: 'model-a',
            usage: { promptTokens: 520, completionTokens: 80, cachedTokens: 200 },
            parts: [
              { kind: 'reasoning', text: 'The price is asked for.' },
              { kind: 'text', text: 'I look it up.' },
              { kind: 'tool_call', id: 'call_1', name: 'search', args: { query: 'price' } },
              { kind: 'tool_call', id: 'call_2', name: 'search', args: { query: 'volume' } },
            ],
          },
          {
            role: 'tool',
            parts: [
              { kind: 'tool_result', id: 'call_1', name: 'search', result: '185.35' },
              { kind: 'tool_result', id: 'call_2', name: 'search', result: 'No such thing.', isError: true },
            ],
          },
          {
            role: 'assistant',
            model: 'model-b',
            usage: { promptTokens: 600, completionTokens: 44, reasoningTokens: 12 },
            parts: [
              { kind: 'text', text: 'It costs 185.35.' },
              { kind: 'media', contentType: 'image/png', url: 'images/chart.png' },
            ],
          },
        ],
        costs: [
          {
            kind: 'model',
            name: 'model-a',
            units: 1,
            usd: 0.00045,
            usage: { promptTokens: 520, completionTokens: 80, cachedTokens: 200 },
          },
          {
            kind: 'model',
            name: 'model-b',
            units: 1,
            usd: 0.00033,
            usage: { promptTokens: 600, completionTokens: 44, reasoningTokens: 12 },
          },
        ],
        durationMs: 5000,
        extra: expect.objectContaining({ notes: 'A first try.', agent: TRAJECTORY.agent }),
        unsaid: { scores: 'ATIF has no verdict' },
      },
    ]);
  });

  it('takes its task and its verdict from where writers put them', () => {
    expect(only({ ...TRAJECTORY, extra: { task_id: 'price', reward: 0.5 } })).toMatchObject({
      task: 'price',
      scores: [{ name: 'reward', value: 0.5 }],
    });
  });

  it('reads numbers and lists where text is expected, and arguments that are JSON text', () => {
    const { messages } = only({
      ...TRAJECTORY,
      steps: [
        { step_id: 1, source: 'user', message: 7 },
        {
          step_id: 2,
          source: 'agent',
          message: ['a', 1, { type: 'text', text: 'b' }],
          tool_calls: [
            { tool_call_id: 'x', function_name: 'f', arguments: '{"a": 1}' },
            { tool_call_id: 'y', function_name: 'g', arguments: '{"a": ' },
          ],
        },
      ],
    });
    expect(messages).toMatchObject([
      { parts: [{ text: '7' }] },
      {
        parts: [
          { text: 'a' },
          { text: '1' },
          { text: 'b' },
          { name: 'f', args: { a: 1 } },
          { name: 'g', args: '{"a": ', problem: 'The arguments are not JSON.' },
        ],
      },
    ]);
  });

  it('gives a result that names no call to the only call of its step, and else to the step', () => {
    const step = (calls: number, results: number) => ({
      step_id: 1,
      source: 'agent',
      message: '',
      tool_calls: Array.from({ length: calls }, (_, i) => ({
        tool_call_id: `c${i}`,
        function_name: 'f',
        arguments: {},
      })),
      observation: { results: Array.from({ length: results }, () => ({ content: 'done' })) },
    });
    const idsOf = (calls: number, results: number) =>
      only({ ...TRAJECTORY, steps: [step(calls, results)] }).messages?.[1]?.parts.map(
        (part) => 'id' in part && part.id,
      );
    expect(idsOf(1, 1)).toEqual(['c0']);
    expect(idsOf(2, 1)).toEqual(['']);
    expect(idsOf(0, 1)).toEqual(['']);
  });

  it('tells a step that was copied once, and counts its metrics once', () => {
    const copy = { ...LOOKUP, step_id: 4, is_copied_context: true };
    const run = only({ ...TRAJECTORY, steps: [SYSTEM, USER, LOOKUP, copy, { ...ANSWER, step_id: 5 }] });
    expect(run).toEqual({ ...only(TRAJECTORY) });
    // Where only the copy is there, it is shown and not counted.
    const after = only({
      ...TRAJECTORY,
      steps: [
        { ...copy, step_id: 1 },
        { ...ANSWER, step_id: 2 },
      ],
    });
    expect(after.messages?.map(({ usage }) => usage?.promptTokens)).toEqual([undefined, undefined, 600]);
  });

  it('uses steps where they disagree with the totals, and says so; totals where steps do not tell', () => {
    const wrong = only({
      ...TRAJECTORY,
      final_metrics: { ...TRAJECTORY.final_metrics, total_cost_usd: 1, total_prompt_tokens: 9 },
    });
    expect(wrong.costs?.map(({ usd }) => usd)).toEqual([0.00045, 0.00033]);
    expect(wrong.unsaid).toMatchObject({
      cost: 'final_metrics says 1 $, its steps come to 0.00078 $, which is used',
      usage: 'final_metrics says 133 tokens, its steps come to 1244, which is used',
    });
    const bare = TRAJECTORY.steps.map(({ metrics: _, ...step }) => step);
    expect(only({ ...TRAJECTORY, steps: bare }).costs).toEqual([
      {
        kind: 'model',
        name: 'model',
        units: 2,
        usd: 0.00078,
        usage: { promptTokens: 1120, completionTokens: 124, cachedTokens: 200 },
      },
    ]);
    expect(only({ ...TRAJECTORY, steps: bare, final_metrics: undefined }).costs).toBeUndefined();
  });

  it('says that steps are missing where their numbers have gaps', () => {
    const run = only({ ...TRAJECTORY, steps: [SYSTEM, { ...USER, step_id: 4 }] });
    expect(run.unsaid?.messages).toBe('2 of its steps are missing, by their numbers');
  });

  it('follows what is continued in another file, and puts the calls of subagents behind the call that made them', () => {
    const first = { ...TRAJECTORY, steps: [SYSTEM, USER, LOOKUP], continued_trajectory_ref: '/logs/agent/part-2.json' };
    const refs = [{ session_id: 'sub', trajectory_path: 'sub.json' }];
    const second = {
      ...TRAJECTORY,
      steps: [
        { ...USER, step_id: 1, is_copied_context: true },
        {
          step_id: 2,
          source: 'agent',
          message: '',
          tool_calls: [{ tool_call_id: 'd', function_name: 'delegate', arguments: {} }],
          observation: { results: [{ source_call_id: 'd', content: 'ok', subagent_trajectory_ref: refs }] },
        },
        { ...ANSWER, step_id: 3 },
      ],
    };
    const sub = {
      ...TRAJECTORY,
      session_id: 'sub',
      agent: { ...TRAJECTORY.agent, name: 'helper' },
      steps: [USER, LOOKUP].map((step, at) => ({ ...step, step_id: at + 1 })),
    };
    const files = {
      'run/part-1.json': first,
      'run/part-2.json': second,
      'run/sub.json': sub,
      'other/part-2.json': TRAJECTORY,
    };
    const source = sourceOf(
      Object.fromEntries(Object.entries(files).map(([name, one]) => [name, JSON.stringify(one)])),
      'runs',
    );
    const { sets, broken, problems } = importAll(atif, source);
    expect([broken, problems]).toEqual([[], []]);
    const runs = sets[SET] ?? [];
    expect(runs).toHaveLength(2);
    const run = runs.find(({ calls }) => calls !== undefined);
    expect(run?.messages?.filter(({ role }) => role === 'user')).toHaveLength(1);
    expect(run?.calls?.map(({ name, by = '' }) => [by, name])).toEqual([
      ['', 'search'],
      ['', 'search'],
      ['', 'delegate'],
      ['helper', 'search'],
      ['helper', 'search'],
    ]);
    expect(run?.unsaid).not.toHaveProperty('calls');
  });

  it('reads subagents that stand within (1.7), and says which are not there', () => {
    const refs = [{ trajectory_id: 'inner' }, { trajectory_id: 'gone' }];
    const step = {
      ...LOOKUP,
      step_id: 1,
      observation: { results: [{ source_call_id: 'call_1', subagent_trajectory_ref: refs }] },
    };
    const run = only({
      ...TRAJECTORY,
      schema_version: 'ATIF-v1.7',
      steps: [step],
      subagent_trajectories: [
        {
          ...TRAJECTORY,
          trajectory_id: 'inner',
          agent: { name: 'inner', version: '1' },
          steps: [{ ...LOOKUP, step_id: 1 }],
        },
      ],
    });
    expect(run.calls?.map(({ by = '' }) => by)).toEqual(['', '', 'inner', 'inner']);
    expect(run.unsaid?.calls).toBe('trajectories of 1 subagents are not there');
    expect(run.costs).toMatchObject([
      { name: 'model-a', units: 1 },
      { name: 'model', units: 1 },
    ]);
  });

  it('does not go round where trajectories refer to each other or to themselves', () => {
    const self = { ...TRAJECTORY, continued_trajectory_ref: '0.json' };
    expect(read(self).sets[SET]).toHaveLength(1);
    const { sets } = read(
      { ...TRAJECTORY, continued_trajectory_ref: '1.json' },
      { ...TRAJECTORY, continued_trajectory_ref: '0.json' },
    );
    expect(sets[SET]).toHaveLength(1);
  });

  it('reads several that stand in one file, line by line or as a list', () => {
    const lines = [TRAJECTORY, { ...TRAJECTORY, session_id: 'session-2' }].map((one) => JSON.stringify(one));
    for (const text of [lines.join('\n'), `[${lines.join(',')}]`]) {
      const { sets, broken } = importAll(atif, sourceOf({ 'runs.jsonl': text }));
      expect(broken).toEqual([]);
      expect(sets[SET]?.map(({ id }) => id)).toEqual(['session-1', 'session-2']);
    }
  });

  it('counts a trajectory that is cut off in the set of its agent, and leaves out files that are none', () => {
    const text = JSON.stringify(TRAJECTORY);
    const files = { 'a.json': text, 'b.json': text.slice(0, -300), 'c.json': '{"a": 1}', 'notes.txt': 'x' };
    const { sets, broken, problems } = importAll(atif, sourceOf(files, 'runs'));
    expect(sets[SET]).toHaveLength(1);
    expect(Object.keys(sets)).toEqual([SET]);
    expect(broken).toEqual([expect.stringContaining('It is not JSON')]);
    expect(problems).toMatchObject([
      { file: 1, message: 'The file ends in the middle of a value.' },
      { file: 2, message: 'It is no trajectory, so it is left out.' },
    ]);
  });
});
