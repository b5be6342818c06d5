import { describe, expect, it } from 'vitest';
import { langsmith } from '../../../src/importers/langsmith/langsmith.ts';
import type { ImportedRun } from '../../../src/plugin/importer-type.ts';
import { importAll, sourceOf } from '../import-all.ts';
import { jsonLines, langsmithTrace } from '../sources/langsmith.ts';
import { langsmithFiles, langsmithPeer } from './a-langsmith.ts';

function imported(text: string, options: Readonly<Record<string, string>> = {}) {
  const source = sourceOf({ 'runs.json': text });
  expect(langsmith.detects(source, options)).toBe(true);
  return importAll(langsmith, source, options);
}

function onlyRun(records: readonly object[], options: Readonly<Record<string, string>> = {}): ImportedRun {
  const { sets, broken } = imported(jsonLines(records), options);
  const runs = Object.values(sets).flat();
  expect([broken, runs.length]).toEqual([[], 1]);
  return runs[0] as ImportedRun;
}

/** What an experiment of our program gave, as sent or as listed. */
function expectExperiment(runs: readonly ImportedRun[]): void {
  const verdicts = runs.map(({ task, scores: [score], error }) => [task[0], Number(score?.value), error ?? null]);
  expect(verdicts).toEqual([
    ['1', 1, null],
    ['2', 1, null],
    ['1', 0, null],
    ['2', 0, 'Error: the server was down'],
  ]);
  const [first] = runs;
  expect(first?.messages?.map(({ role, parts: [part] }) => [role, part?.kind])).toEqual([
    ['user', 'text'],
    ['assistant', 'tool_call'],
    ['tool', 'tool_result'],
    ['assistant', 'text'],
  ]);
  expect(first?.calls).toEqual([{ name: 'add', args: { a: 1, b: 1 }, result: { sum: 2 } }]);
  // Each call was traced twice, by the model and by the client below it.
  expect(first?.costs?.map(({ name, usage }) => ({ name, usage }))).toEqual([
    { name: 'gpt-4o', usage: { promptTokens: 100, completionTokens: 10, cachedTokens: 0 } },
    { name: 'gpt-4o', usage: { promptTokens: 130, completionTokens: 5, cachedTokens: 100 } },
  ]);
  expect(first?.unsaid).toEqual({});
}

describe.skipIf(langsmithPeer.skips)('langsmith, by the real SDK', () => {
  it('reads an experiment of its `evaluate` alike from the batches that it sends and from the runs that it lists', async () => {
    const { sent, listed } = await langsmithFiles();
    const batches = imported(sent);
    expect(batches.broken).toEqual([]);
    expect(batches.problems.map(({ message }) => message)).toEqual([
      '4 of its traces are of the project "evaluators", so they are left out.',
    ]);
    const [experiment = ''] = Object.keys(batches.sets);
    expect(experiment).toMatch(/^agent-/);
    expectExperiment(batches.sets[experiment] ?? []);

    const pages = imported(listed);
    expect([pages.broken, pages.problems]).toEqual([[], []]);
    const runs = pages.sets['22222222-2222-4222-8222-222222222222'] ?? [];
    expectExperiment(runs.filter(({ scores }) => scores.length > 0));
    expect(runs[0]?.costs?.map(({ usd }) => usd)).toEqual([0.001, 0.001]);

    const chat = batches.sets['langchain']?.[0];
    expect(chat).toEqual(expect.objectContaining({ scores: [], task: 'How is the weather in Rome?' }));
    expect(chat?.messages?.map(({ role, parts }) => [role, parts])).toEqual([
      ['system', [{ kind: 'text', text: 'Be brief.' }]],
      ['user', [{ kind: 'text', text: 'How is the weather in Rome?' }]],
      ['assistant', [{ kind: 'tool_call', id: 'c1', name: 'weather', args: { city: 'Rome' } }]],
      ['tool', [{ kind: 'tool_result', id: 'c1', name: 'weather', result: { degrees: 21 } }]],
      ['assistant', [{ kind: 'text', text: 'Mild, 21 degrees.' }]],
    ]);
    expect(pages.sets['55555555-5555-4555-8555-555555555555']?.[0]?.messages).toEqual(chat?.messages);
  });
});

describe('langsmith', () => {
  it('makes a run of each trace: example, verdict, conversation, calls, tokens and price', () => {
    const run = onlyRun(langsmithTrace(1));
    expect(run).toMatchObject({
      task: 'example 1',
      id: '00000000-0000-4000-8000-000000000001',
      scores: [{ name: 'correct', value: 1 }],
      durationMs: 4000,
      calls: [{ name: 'weather', args: { city: 'Rome' }, result: { degrees: 21 } }],
      costs: [
        { units: 1, usd: 0.001, usage: { promptTokens: 100, completionTokens: 10 } },
        { usd: 0.002, usage: { promptTokens: 130, completionTokens: 5, cachedTokens: 100 } },
      ],
      unsaid: {},
    });
    expect(run.messages?.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
    expect(run.messages?.at(-1)).toMatchObject({ model: 'gpt-4o', latencyMs: 1000, finish: 'stop' });
  });

  it('reads the same from every order, from lists, pages, lines, batches and runs within runs', () => {
    const traces = [langsmithTrace(1), langsmithTrace(2)];
    const expected = imported(jsonLines(traces.flat())).sets;
    const mixed = traces[0]?.flatMap((run, at) => [run, traces[1]?.[at] ?? {}]) ?? [];
    const nested = traces.map(([root, ...others]) => ({ ...root, child_runs: others }));
    const created = traces.flat().map((run) => ({ ...run, outputs: null, end_time: null }));
    const texts = [
      jsonLines(mixed.toReversed()),
      JSON.stringify(mixed, null, 2),
      JSON.stringify({ runs: mixed, cursors: { next: null } }),
      jsonLines([{ runs: mixed.slice(0, 3) }, { runs: mixed.slice(3) }]),
      JSON.stringify({ post: created, patch: mixed }),
      jsonLines([...traces.flat(), ...traces.flat()]),
      JSON.stringify(nested),
    ];
    for (const text of texts) {
      const { sets, broken, problems } = imported(text);
      expect([broken, problems]).toEqual([[], []]);
      const runs = sets['project']?.toSorted((a, b) => (a.task < b.task ? -1 : 1));
      expect({ project: runs }).toEqual(expected);
    }
  });

  it('puts traces together that are spread over the files of a folder', () => {
    const [one, two] = [langsmithTrace(1), langsmithTrace(2)];
    const files = {
      'a.jsonl': jsonLines([...one.slice(0, 2), ...two.slice(2)]),
      'b.json': JSON.stringify([...two.slice(0, 2), ...one.slice(2)]),
    };
    const folder = sourceOf({ ...files, 'notes.txt': 'not read' }, 'folder');
    expect(langsmith.detects(folder, {})).toBe(true);
    const { sets, broken, problems } = importAll(langsmith, folder);
    expect([broken, problems]).toEqual([[], []]);
    expect(sets).toEqual(imported(jsonLines([...one, ...two])).sets);
    expect(langsmith.detects(sourceOf({ ...files, 'c.json': '{"other":1}' }, 'folder'), {})).toBe(false);
  });

  it('takes feedback by itself, in lists and as statistics; labels mean what they usually do', () => {
    const root = { feedback_stats: null };
    const id = '00000000-0000-4000-8000-000000000001';
    const note = { run_id: id, key: 'human', score: null, value: 'incorrect', comment: 'Too cold.' };
    expect(onlyRun([...langsmithTrace(1, root), note]).scores).toEqual([
      { name: 'human', value: 'incorrect', passed: false, explanation: 'Too cold.' },
    ]);
    const listed = { ...root, feedback: [{ run_id: id, key: 'exact', score: true }] };
    expect(onlyRun(langsmithTrace(1, listed)).scores).toEqual([{ name: 'exact', value: true }]);
    const statistics = {
      split: { n: 2, avg: null, values: { good: 1, bad: 1 } },
      crashed: { n: 1, avg: null, values: {}, errors: 1 },
      label: { n: 2, avg: null, values: { pass: 2 } },
    };
    expect(onlyRun(langsmithTrace(1, { feedback_stats: statistics })).scores).toEqual([
      { name: 'split', value: null, explanation: 'its labels differ: good, bad' },
      { name: 'crashed', value: null, explanation: 'its evaluator failed' },
      { name: 'label', value: 'pass', passed: true },
    ]);
  });

  it('says what went wrong: errors, a missing end, root or parent, clocks that went back, runs that differ', () => {
    expect(onlyRun(langsmithTrace(1, { error: 'RateLimitError' }))).toMatchObject({ error: 'RateLimitError' });
    const unended = onlyRun(langsmithTrace(1, { end_time: null, outputs: null, status: 'pending' }));
    expect(unended.error).toBe('It has no end: it was still running, or its end got lost.');
    expect(unended.unsaid).toEqual({ durationMs: 'it has no end' });

    const [, ...headless] = langsmithTrace(1);
    const half = onlyRun(headless);
    expect(half).toMatchObject({ scores: [], task: 'How warm is it in city 1?' });
    expect(half.unsaid).toMatchObject({
      scores: 'its root run is not there',
      messages: 'its root run is not there; 3 of its steps are named as part of one that is not there',
    });

    const back = onlyRun(langsmithTrace(1, { end_time: '2026-03-01T09:59:59Z' }));
    expect([back.durationMs, back.unsaid]).toEqual([
      undefined,
      {
        durationMs: 'it ends before it begins: its clock went back',
        order: 'its clock went back, so that nobody knows what came first',
      },
    ]);

    const [root = {}, ...others] = langsmithTrace(1);
    const twice = onlyRun([root, ...others, { ...root, outputs: { answer: '22' } }]);
    expect(twice.extra).toMatchObject({ outputs: { answer: '22' } });
    expect(twice.unsaid?.['messages']).toBe('1 of its runs stand there twice and differ; the last counts');
  });

  it('costs a broken run itself: its trace stands, with tokens that are not known', () => {
    const [root = {}, model, tool, last = {}] = langsmithTrace(1);
    const cut = JSON.stringify({ trace_id: '00000000-0000-4000-8000-000000000001', ...last }).slice(0, -9);
    const text = [
      jsonLines([root, model ?? {}, tool ?? {}]),
      cut,
      jsonLines(langsmithTrace(2)),
      '{"id": nonsense',
    ].join('\n');
    const { sets, broken, problems } = imported(text);
    expect(broken).toEqual([expect.stringMatching(/^It is not JSON/)]);
    expect(problems).toEqual([]);
    const [hurt, whole] = sets['project'] ?? [];
    expect(whole?.unsaid).toEqual({});
    expect(hurt?.scores).toEqual([{ name: 'correct', value: 1 }]);
    expect(hurt?.unsaid?.['calls']).toMatch(/^1 of its steps is not readable: It is not JSON/);
    // What is there comes to less than the root run counts, which has all of them.
    expect(hurt?.costs).toMatchObject([{ usage: { promptTokens: 230, completionTokens: 15 }, usd: 0.003 }]);
  });

  it('of root runs alone takes what they say of all below them', () => {
    const [root = {}] = langsmithTrace(1);
    const { messages, costs } = onlyRun([root]);
    expect(messages).toEqual([
      { role: 'user', parts: [{ kind: 'text', text: 'How warm is it in city 1?' }] },
      { role: 'assistant', parts: [{ kind: 'text', text: '21 degrees.' }] },
    ]);
    expect(costs).toEqual([
      { kind: 'model', name: 'model', usage: { promptTokens: 230, completionTokens: 15 }, usd: 0.003 },
    ]);
  });

  it('finds tasks and sets where `--map` says', () => {
    const root = { extra: { metadata: { case: 7, 'my.release': 'v2' } } };
    const options = { task: 'extra.metadata.case', set: 'extra.metadata.my.release' };
    expect(onlyRun(langsmithTrace(1, root), { task: options.task }).task).toBe('7');
    const release = { extra: { metadata: { release: 'v2' } } };
    const { sets } = imported(jsonLines(langsmithTrace(1, release)), { set: 'extra.metadata.release' });
    expect(Object.keys(sets)).toEqual(['v2']);
  });
});
