import { describe, expect, it } from 'vitest';
import { langfuse } from '../../../src/importers/langfuse/langfuse.ts';
import { langfuseUsage } from '../../../src/importers/langfuse/langfuse-usage.ts';
import type { ImportedRun } from '../../../src/plugin/importer-type.ts';
import { importAll, sourceOf } from '../import-all.ts';
import { langfuseTrace } from '../sources/langfuse.ts';
import { jsonLines } from '../sources/langsmith.ts';
import { langfuseFiles, langfusePeer } from './a-langfuse.ts';

type Fields = Readonly<Record<string, unknown>>;

function imported(text: string, options: Readonly<Record<string, string>> = {}) {
  const source = sourceOf({ 'traces.json': text });
  expect(langfuse.detects(source, options)).toBe(true);
  return importAll(langfuse, source, options);
}

function onlyRun(records: readonly object[], options: Readonly<Record<string, string>> = {}): ImportedRun {
  const { sets, broken } = imported(jsonLines(records), options);
  const runs = Object.values(sets).flat();
  expect([broken, runs.length]).toEqual([[], 1]);
  return runs[0] as ImportedRun;
}

/** The trace by itself, its observations and its scores, as pages of the API have them. */
function parted({ observations, scores, ...trace }: Fields): readonly Fields[] {
  return [trace, ...(observations as Fields[]), ...(scores as Fields[])];
}

function expectRuns(runs: readonly ImportedRun[]): void {
  const verdicts = runs.map(({ task, scores: [score], error }) => [task, score?.name, score?.value, error ?? null]);
  expect(verdicts).toEqual([
    ['item 1', 'correct', true, null],
    ['item 2', 'correct', true, null],
    ['item 1', 'correct', false, null],
    ['item 2', undefined, undefined, 'the server was down'],
  ]);
  const [first, , , last] = runs;
  expect(first?.scores).toEqual([
    { name: 'correct', value: true, explanation: 'by code' },
    { name: 'tone', value: 'pass', passed: true },
  ]);
  expect(first?.messages?.map(({ role, parts: [part] }) => [role, part?.kind])).toEqual([
    ['user', 'text'],
    ['assistant', 'tool_call'],
    ['tool', 'tool_result'],
    ['assistant', 'text'],
  ]);
  expect(first?.costs?.map(({ usage }) => usage)).toEqual([
    { promptTokens: 100, completionTokens: 10 },
    { promptTokens: 130, completionTokens: 5, cachedTokens: 100, reasoningTokens: 2 },
  ]);
  expect(last?.messages?.at(-1)).toMatchObject({ problem: 'the server was down' });
}

describe.skipIf(langfusePeer.skips)('langfuse, by the real SDK', () => {
  it('reads a run over a data set alike from what it sends and from the traces that it fetches', async () => {
    const { sent, fetched } = await langfuseFiles();
    const batches = imported(sent);
    expect([batches.broken, batches.problems, Object.keys(batches.sets)]).toEqual([[], [], ['first run']]);
    expectRuns(batches.sets['first run'] ?? []);

    // Which item a trace is a run of stands beside the traces, as the API lists it.
    const links = sent.split('\n').filter((line) => line.includes('"datasetItemId"'));
    const items = links
      .map((line) => JSON.parse(line) as Fields)
      .map(({ runName, ...link }) => ({ ...link, datasetRunName: runName }));
    const traces = imported(jsonLines([...(JSON.parse(fetched) as object[]), { data: items, meta: { page: 1 } }]));
    expect([traces.broken, traces.problems]).toEqual([[], []]);
    expectRuns(traces.sets['first run'] ?? []);
  });
});

describe('langfuse', () => {
  it('makes a run of each trace: verdict, conversation, calls, tokens and price', () => {
    const run = onlyRun([langfuseTrace(1)]);
    expect(run).toMatchObject({
      task: 'task 1',
      id: 'trace-1',
      scores: [{ name: 'correct', value: true }],
      durationMs: 4000,
      calls: [{ name: 'weather', args: { city: 'Rome' }, result: { degrees: 21 } }],
      costs: [
        { name: 'gpt-4o', usd: 0.001, usage: { promptTokens: 100, completionTokens: 10 } },
        { name: 'gpt-4o', usd: 0.002, usage: { promptTokens: 130, completionTokens: 5, cachedTokens: 100 } },
      ],
      unsaid: {},
    });
    expect(run.messages?.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
  });

  it('reads the same from lists, pages, lines, downloads, and from parts in any order', () => {
    const traces = [langfuseTrace(1), langfuseTrace(2)];
    const expected = imported(JSON.stringify(traces)).sets;
    const parts = traces.flatMap(parted);
    const texts = [
      jsonLines(traces),
      JSON.stringify({ data: traces, meta: { page: 1 } }, null, 1),
      jsonLines(parts.toReversed()),
      jsonLines([{ data: parts.slice(0, 3) }, { data: parts.slice(3) }]),
      jsonLines([...traces, ...traces]),
      jsonLines(traces.map(({ observations, ...trace }) => ({ trace, observations }))),
    ];
    for (const text of texts) {
      const { sets, broken, problems } = imported(text);
      expect([broken, problems]).toEqual([[], []]);
      expect({ '': sets['']?.toSorted((a, b) => (a.task < b.task ? -1 : 1)) }).toEqual(expected);
    }
  });

  it('takes numbers, booleans, categories and tables of scores', () => {
    const scores = (...all: readonly object[]) => onlyRun([langfuseTrace(1, { scores: all })]).scores;
    expect(
      scores(
        { name: 'part', value: 0.2, dataType: 'NUMERIC', observationId: 'trace-1-1' },
        { name: 'whole', value: 0.7, dataType: 'NUMERIC', comment: 'fine' },
        { name: 'no', value: 0, dataType: 'BOOLEAN', stringValue: 'False' },
        { name: 'label', value: 2, dataType: 'CATEGORICAL', stringValue: 'polite' },
        { name: 'verdict', stringValue: 'correct', dataType: 'CATEGORICAL' },
      ),
    ).toEqual([
      { name: 'whole', value: 0.7, explanation: 'fine' },
      { name: 'no', value: false },
      { name: 'label', value: 'polite' },
      { name: 'verdict', value: 'correct', passed: true },
      { name: 'part', value: 0.2 },
    ]);
    const table = onlyRun([langfuseTrace(1, { scores: { accuracy: [0.5, 1], tone: 'good' } })]);
    expect(table.scores.map(({ name, value }) => [name, value])).toEqual([
      ['accuracy', 0.5],
      ['accuracy', 1],
      ['tone', 'good'],
    ]);
  });

  it('says what went wrong: an error at the end, missing observations, traces without a record', () => {
    const { observations, ...rest } = langfuseTrace(1);
    const [agent, ...others] = observations as readonly Fields[];
    const crashed = { ...agent, level: 'ERROR', statusMessage: 'ECONNRESET' };
    expect(onlyRun([{ ...rest, observations: [crashed, ...others] }])).toMatchObject({ error: 'ECONNRESET' });
    // One that was tried again is no error of the run.
    const retried = [
      { ...others[0], id: 'first', level: 'ERROR', usageDetails: {}, costDetails: {}, output: null },
      agent,
      ...others,
    ];
    expect(onlyRun([{ ...rest, observations: retried }]).error).toBeUndefined();

    const listed = onlyRun([{ ...rest, observations: ['trace-1-1', 'trace-1-3'], scores: [] }]);
    expect(listed).toMatchObject({
      costs: [{ usd: 0.003 }],
      durationMs: 4000,
      unsaid: { scores: 'it has no score', usage: '2 of its observations are not there' },
    });
    const half = onlyRun(parted(langfuseTrace(1)).slice(2));
    expect(half.unsaid?.['messages']).toBe(
      'the record of its trace is not there; 3 of its steps are named as part of one that is not there',
    );
  });

  it('costs a broken record itself', () => {
    const [trace = {}, ...others] = parted(langfuseTrace(1));
    const text = `${jsonLines([trace, ...others])}\n{"traceId":"trace-1","type":"GENERATION","startTime":"x","input":"abc\n{"id":`;
    const { sets, broken } = imported(text);
    expect(broken).toEqual([expect.stringMatching(/^It is not JSON/)]);
    const [run] = sets[''] ?? [];
    expect(run?.unsaid).toMatchObject({ usage: '1 of its steps cannot be read, which may have taken some' });
    expect(run?.costs?.map(({ usage }) => usage)).toHaveLength(3);
  });

  it('finds tasks and sets where `--map` says', () => {
    const { sets } = imported(jsonLines([langfuseTrace(1, { metadata: '{"case":7}' })]), {
      set: 'release',
      task: 'metadata.case',
    });
    expect(sets).toMatchObject({ v1: [{ task: '7' }] });
  });

  it.each<readonly [string, unknown, unknown]>([
    [
      'keys beside each other add up',
      { input: 2, input_cached_tokens: 8, output: 1, output_reasoning_tokens: 3, total: 14 },
      [10, 4, 8, 3],
    ],
    [
      'so do those that clients of Anthropic send',
      { input: 2, cache_read_input_tokens: 7, cache_creation_input_tokens: 1, output: 4 },
      [10, 4, 7, undefined],
    ],
    [
      'a total of input + output holds the rest',
      { input: 10, input_cached_tokens: 8, output: 4, output_reasoning_tokens: 3, total: 14 },
      [10, 4, 8, 3],
    ],
    [
      'providers keep their conventions',
      { prompt_tokens: 10, completion_tokens: 4, prompt_tokens_details: { cached_tokens: 8 } },
      [10, 4, 8, undefined],
    ],
    [
      'prices are no tokens',
      { input: 10, output: 4, inputCost: 1, outputCost: 2, unit: 'TOKENS' },
      [10, 4, undefined, undefined],
    ],
  ])('of tokens: %s', (_, usage, expected) => {
    const told = langfuseUsage(usage);
    expect([told?.promptTokens, told?.completionTokens, told?.cachedTokens, told?.reasoningTokens]).toEqual(expected);
  });

  it('takes no characters for tokens', () => {
    expect(langfuseUsage({ input: 10, output: 4, unit: 'CHARACTERS' })).toBeNull();
    expect(langfuseUsage({})).toBeNull();
  });
});
