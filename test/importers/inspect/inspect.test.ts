import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import zlib from 'node:zlib';
import { beforeAll, describe, expect, it, test } from 'vitest';
import type { SuiteReport } from '../../../src/index.ts';
import { aFolder, runPassk } from '../../cli/run-passk.ts';
import { inspect } from '../../../src/importers/inspect/inspect.ts';
import type { ImportedRun } from '../../../src/plugin/importer-type.ts';
import { importAll, type Imported, sourceAt, sourceOf } from '../import-all.ts';
import { aSample, evalLog, HEADER, jsonLog, SAMPLES } from '../sources/inspect.ts';
import { zipOf } from '../sources/zip.ts';
import { type SeenLog, seenBy, skipsInspect, writeLogs } from './an-inspect.ts';

const REAL = fileURLToPath(new URL('../../../../shared/reference/traces/inspect/', import.meta.url));
const readsZstandard = 'zstdDecompressSync' in zlib;

const read = (log: string | Uint8Array): Imported => importAll(inspect, sourceOf({ 'a.log': log }));
const readOne = (sample: object, header: object = HEADER): ImportedRun => {
  const { sets, broken } = read(jsonLog([sample], header));
  expect(broken).toEqual([]);
  return (Object.values(sets)[0] ?? [])[0] ?? expect.fail('There is no run.');
};

/** What scoring takes from a run, as far as Inspect tells it too. */
const told = ({ task, attempt, error, ending, scores, messages }: ImportedRun) => ({
  task,
  attempt,
  error: error ?? null,
  isLimited: ending !== undefined,
  messages: messages?.length,
  scores: Object.fromEntries(scores.map(({ name, value }) => [name, value])),
});

describe.skipIf(!existsSync(REAL))('logs of earlier Inspect', () => {
  const imported = (name: string) => importAll(inspect, sourceAt(path.join(REAL, name)));

  it('reads one log as JSON and as an archive alike', () => {
    const [json, archive] = [imported('log_formats.json'), imported('log_formats.eval')];
    expect(json).toEqual(archive);
    expect([archive.broken, archive.problems]).toEqual([[], []]);
    const [run] = archive.sets['popularity (ollama/llama3.1)'] ?? [];
    expect(run).toMatchObject({ task: '1', attempt: 1, scores: [{ name: 'match', value: 'I', passed: false }] });
    expect(run?.messages?.at(-1)).toMatchObject({
      parts: [{ kind: 'text', text: 'No' }],
      usage: { promptTokens: 66, completionTokens: 2 },
    });
  });

  it('reads ten samples that nobody scored', () => {
    const name = '2025-02-11T15-17-00-05-00_popularity_dPiJifoWeEQBrfWsAopzWr.eval';
    const { sets, broken, problems } = imported(name);
    expect([broken, problems]).toEqual([[], []]);
    const runs = sets['popularity (openai/gpt-4o-mini)'] ?? [];
    expect(runs.map(({ task, scores }) => [task, scores])).toEqual(
      Array.from({ length: 10 }, (_, at) => [String(at + 1), []]),
    );
    const tokens = runs.flatMap(({ costs = [] }) => costs.map(({ usage }) => usage?.promptTokens ?? 0));
    expect(tokens.reduce((sum, one) => sum + one, 0)).toBe(620);
  });

  it('reads calls of tools that went wrong', () => {
    const { sets, broken } = imported('log_tool_call_error.json');
    expect(broken).toEqual([]);
    const [run] = sets['... {"foo":"bar"} (...)'] ?? [];
    expect(run).toMatchObject({ task: '1', attempt: 4, scores: [] });
    const parts = run?.messages?.flatMap((message) => message.parts) ?? [];
    expect(parts.every((part) => part.kind === 'tool_result' && part.isError === true)).toBe(true);
    expect(parts[1]).toMatchObject({ name: 'bash', result: { error: { type: 'timeout', message: '...' } } });
  });
});

describe.skipIf(skipsInspect)('logs of the real Inspect', () => {
  let folder = '';
  let seen: SeenLog = {
    status: '',
    task: '',
    model: '',
    total: 0,
    completed: 0,
    epochs: 0,
    samples: [],
    results: [],
    usage: {},
  };
  beforeAll(async () => {
    folder = await writeLogs();
    seen = await seenBy(path.join(folder, 'log.json'));
  }, 300_000);

  const imported = (name: string) => importAll(inspect, sourceAt(path.join(folder, name)));

  /** As `told` has it. */
  const seenRuns = () =>
    seen.samples.map(({ task, attempt, error, limit, messages, scores }) => ({
      task,
      attempt,
      error,
      isLimited: limit !== null,
      messages,
      scores: Object.fromEntries(
        Object.entries(scores).flatMap(([name, value]) =>
          typeof value === 'object' && value !== null
            ? Object.entries(value).map(([key, one]) => [`${name}/${key}`, one])
            : [[name, value]],
        ),
      ),
    }));

  it('reads the samples, errors, limits and scores that Inspect reads, from JSON and from an archive', () => {
    expect(seen).toMatchObject({ status: 'success', total: 12, completed: 10 });
    for (const name of ['log.json', 'deflate.eval']) {
      const { sets, broken, problems } = imported(name);
      expect([broken, problems]).toEqual([[], []]);
      expect(Object.keys(sets)).toEqual(['sums (mockllm/model)']);
      expect(sets['sums (mockllm/model)']?.map(told)).toEqual(seenRuns());
    }
  });

  it('gives the runs of both forms alike, with calls, results, reasoning and costs', () => {
    const [json, archive] = [imported('log.json'), imported('deflate.eval')];
    expect(json.sets).toEqual(archive.sets);
    const runs = json.sets['sums (mockllm/model)'] ?? [];
    const parts = runs[0]?.messages?.flatMap((message) => message.parts) ?? [];
    expect(parts.map(({ kind }) => kind)).toEqual(['text', 'reasoning', 'text', 'tool_call', 'tool_result', 'text']);
    expect(parts[4]).toMatchObject({ name: 'add', result: 5 });
    const sum = (kind: string, pick: (cost: NonNullable<ImportedRun['costs']>[number]) => number): number =>
      runs.reduce(
        (all, { costs = [] }) => all + costs.reduce((own, one) => own + (one.kind === kind ? pick(one) : 0), 0),
        0,
      );
    const { 'mockllm/model': model, 'mockllm/grader': grader } = seen.usage;
    // Inspect counts cached tokens apart from the input.
    const prompt = (model?.['input_tokens'] ?? 0) + (model?.['input_tokens_cache_read'] ?? 0);
    expect(sum('model', ({ usage }) => usage?.promptTokens ?? 0)).toBe(prompt);
    expect(sum('judge', ({ usage }) => usage?.promptTokens ?? 0)).toBe(grader?.['input_tokens']);
    expect(sum('judge', ({ usd = 0 }) => usd)).toBeCloseTo(grader?.['total_cost'] ?? -1, 9);
    expect(sum('model', ({ usd = 0 }) => usd)).toBeCloseTo(model?.['total_cost'] ?? -1, 9);
  });

  it('reads an archive that is packed by Zstandard where Node.js can, and says what it takes where it cannot', () => {
    if (readsZstandard) expect(imported('zstandard.eval').sets).toEqual(imported('log.json').sets);
    else {
      expect(() => imported('zstandard.eval')).toThrow(
        'It is packed by Zstandard, which Node.js reads from 22.15 on. `inspect log convert --to json` converts the log.',
      );
    }
  });

  it('takes samples that an error of the eval left without scores for broken', () => {
    const { sets, problems } = imported('stopped.json');
    const runs = sets['stops (mockllm/model)'] ?? [];
    expect(runs.length).toBeGreaterThan(0);
    expect(runs.every(({ error }) => error !== undefined)).toBe(true);
    expect(problems).toMatchObject([
      { message: expect.stringMatching(/^The eval ended with an error, .*It has \d of 2 samples\.$/s) },
    ]);
  });
});

test('both forms give the same runs, in the order of Inspect', () => {
  const shuffled = [SAMPLES[3], SAMPLES[0], SAMPLES[2], SAMPLES[1]].filter((sample) => sample !== undefined);
  expect(read(evalLog(shuffled))).toEqual(read(jsonLog()));
  expect(read(jsonLog()).sets['sums (p/m)']?.map(told)).toEqual([
    { task: 'a', attempt: 1, error: null, isLimited: false, messages: 2, scores: { exact: 'C' } },
    { task: 'b', attempt: 1, error: null, isLimited: false, messages: 2, scores: { exact: 'I' } },
    { task: 'a', attempt: 2, error: 'down', isLimited: false, messages: 2, scores: {} },
    { task: 'b', attempt: 2, error: null, isLimited: true, messages: 2, scores: { exact: 0.5 } },
  ]);
});

test('attachments stand where they are referred to, and as often as fits', () => {
  const [, answer] = readOne(aSample('a', 1)).messages ?? [];
  expect(answer?.parts).toEqual([{ kind: 'text', text: 'It is 5.' }]);
  const hash = '0123456789abcdef0123456789abcdef';
  const messages = Array.from({ length: 100 }, () => ({ role: 'user', content: `attachment://${hash}` }));
  const long = readOne(aSample('a', 1, { messages, attachments: { [hash]: 'x'.repeat(1024 * 1024) } }));
  expect(long.unsaid).toMatchObject({ messages: 'its attachments are too long to be shown all' });
  const missing = readOne(aSample('a', 1, { attachments: {} }));
  expect(missing.unsaid).toMatchObject({ messages: 'some of its attachments are not in the log' });
});

test.each([
  ['C', { value: 'C', passed: true }],
  ['I', { value: 'I', passed: false }],
  ['N', { value: 'N', passed: false }],
  ['P', { value: 0.5 }],
  ['yes', { value: 'yes', passed: true }],
  ['0.75', { value: 0.75 }],
  ['mauve', { value: 'mauve' }],
  [1, { value: 1 }],
  [false, { value: false }],
])('the score %s is read as Inspect means it', (value: string | number | boolean, score) => {
  expect(readOne(aSample('a', 1, { scores: { s: { value } } })).scores).toEqual([{ name: 's', ...score }]);
});

test('a score of several values is several, and NaN is none', () => {
  const log = jsonLog([aSample('a', 1, { scores: { judge: { value: { polite: 1, right: 'NaN-here' } } } })]);
  const { sets } = read(log.replace('"NaN-here"', 'NaN').replace('"input"', '"note":"NaN, -Infinity \\"","input"'));
  expect(Object.values(sets)[0]?.[0]?.scores).toEqual([
    { name: 'judge/polite', value: 1 },
    { name: 'judge/right', value: null },
  ]);
});

test('the headline of the log decides, and old logs name their only scorer once', () => {
  const scores = { first: { value: 1 }, second: { value: { a: 2, b: 3 } } };
  const header = { ...HEADER, results: { headline: { scorer: 'second', score: 'b', metric: 'mean' } } };
  expect(readOne(aSample('a', 1, { scores }), header).scores.map(({ name }) => name)).toEqual([
    'second/b',
    'first',
    'second/a',
  ]);
  const old = readOne(aSample('a', 1, { scores: undefined, score: { value: 'C' } }));
  expect(old.scores).toEqual([{ name: 'exact', value: 'C', passed: true }]);
});

test.each([
  [
    'includes cached tokens',
    { input_tokens: 15235, output_tokens: 281, total_tokens: 15516, input_tokens_cache_read: 9088 },
    [15235, 281],
  ],
  ['excludes them', { input_tokens: 10, output_tokens: 5, total_tokens: 22, input_tokens_cache_read: 7 }, [17, 5]],
  ['counts reasoning apart', { input_tokens: 10, output_tokens: 5, total_tokens: 18, reasoning_tokens: 3 }, [10, 8]],
  ['does not say', { input_tokens: 10, output_tokens: 5, total_tokens: 99, input_tokens_cache_read: 7 }, null],
])('the total tells that the input %s', (_, used, expected) => {
  const { costs, unsaid } = readOne(aSample('a', 1, { model_usage: { m: used } }));
  const usage = costs?.[0]?.usage;
  expect(usage === undefined ? null : [usage.promptTokens, usage.completionTokens]).toEqual(expected);
  if (expected === null) expect(unsaid).toMatchObject({ usage: expect.stringContaining('cached') });
});

test('what a grader took is taken out of its model, and counted once where it is not known which that is', () => {
  const usage = (input: number) => ({ input_tokens: input, output_tokens: 0, total_tokens: input });
  const costs = (roles: object, models: object) =>
    readOne(aSample('a', 1, { model_usage: models, role_usage: roles })).costs?.map(({ kind, name, usage: used }) => [
      kind,
      name,
      used?.promptTokens,
    ]);
  expect(costs({ grader: usage(3) }, { 'p/g': usage(10) })).toEqual([
    ['model', 'p/g', 7],
    ['judge', 'p/g', 3],
  ]);
  expect(costs({ grader: usage(3) }, { 'p/m': usage(9), 'p/g': usage(3) })).toEqual([
    ['model', 'p/m', 9],
    ['judge', 'p/g', 3],
  ]);
  expect(costs({ judge: usage(4) }, { x: usage(9), y: usage(8) })).toEqual([
    ['model', 'y', 8],
    ['model', 'x', 9],
  ]);
});

test('a log that was cut off gives what stands before its end', () => {
  const json = jsonLog();
  const cut = read(json.slice(0, json.length - 200));
  expect(cut.sets['sums (p/m)']?.length).toBe(3);
  expect(cut.broken.length).toBe(1);
  expect(cut.problems.map(({ message }) => message)).toEqual(['The file ends in the middle of a value.']);
  const archive = Buffer.from(evalLog());
  const half = read(archive.subarray(0, archive.indexOf('samples/a_epoch_2') + 40));
  expect(half.sets['sums (p/m)']?.map(({ task }) => task)).toEqual(['a', 'b']);
  expect(half.broken).toEqual(['Its entry claims bytes that the archive does not have, or those of another entry.']);
  expect(half.problems.map(({ message }) => message)).toEqual([
    'The archive is cut off: it has no directory at its end.',
    'The eval had not come to its end. It has 3 of 4 samples.',
  ]);
});

test('a sample that was run again counts once, as Inspect has it', () => {
  const entry = (value: string) => ({
    name: 'samples/a_epoch_1.json',
    content: JSON.stringify(aSample('a', 1, { scores: { s: { value } } })),
  });
  const { sets } = read(zipOf([entry('I'), entry('C'), { name: 'header.json', content: JSON.stringify(HEADER) }]));
  expect(Object.values(sets)[0]?.map(({ scores }) => scores[0]?.value)).toEqual(['C']);
});

test('an entry that cannot be read costs itself', () => {
  const content = JSON.stringify(aSample('a', 1));
  const name = (id: string): string => `samples/${id}_epoch_1.json`;
  const log = zipOf([
    { name: name('sound'), content },
    { name: name('../../etc/passwd'), content },
    { name: name('claims 10 GB'), content, size: 10 * 1024 ** 3 },
    { name: name('holds more than it claims'), content, size: 10 },
    { name: name('damaged'), content, crc: 1 },
    { name: name('encrypted'), content, flags: 1 },
    { name: name('lzma'), content, method: 14 },
    { name: name('no deflate'), content, packed: Buffer.from('nothing') },
    { name: name('another entry'), content, headerAt: 0 },
    { name: name('nowhere'), content, headerAt: 4_000_000_000 },
    { name: 'header.json', content: JSON.stringify(HEADER) },
  ]);
  const { sets, broken } = read(log);
  expect(
    Object.values(sets)
      .flat()
      .map(({ task }) => task),
  ).toEqual(['a', 'a']);
  expect([...broken].sort()).toEqual([
    'It cannot be unpacked: invalid block type.',
    'It claims to have 10737418240 bytes; at most 256 MiB are read.',
    'It holds more than the 10 bytes that it claims.',
    'It is encrypted.',
    'It is packed by method 14 of ZIP, which passk does not read.',
    'Its bytes are damaged.',
    'Its entry claims bytes that the archive does not have, or those of another entry.',
    'Its entry claims bytes that the archive does not have, or those of another entry.',
  ]);
});

test('the command scores an archive, with workers as without, and shows a trial', async () => {
  const folder = aFolder();
  writeFileSync(path.join(folder, 'log.eval'), evalLog());
  const { stdout, status } = await runPassk(['score', 'log.eval', '--json'], { cwd: folder });
  const report = JSON.parse(stdout) as SuiteReport;
  const [scenario] = report.scenarios;
  expect(status).toBe(0);
  expect(scenario).toMatchObject({ name: 'sums (p/m)', trials: { passed: 1, failed: 2, broken: 1 } });
  const shared = await runPassk(['score', 'log.eval', '--json', '--workers', '2'], { cwd: folder });
  expect((JSON.parse(shared.stdout) as SuiteReport).scenarios).toEqual(report.scenarios);
  const lenient = await runPassk(['score', 'log.eval', '--json', '--pass-score', '0.5'], { cwd: folder });
  expect((JSON.parse(lenient.stdout) as SuiteReport).scenarios[0]).toMatchObject({ trials: { passed: 2, failed: 1 } });
  const shown = await runPassk(['trace', 'log.eval', '--part', 'sums (p/m)', '--trial', '3'], { cwd: folder });
  expect(shown.stdout).toContain('ended     timed_out');
});

test('other JSON and other archives are not taken for logs', () => {
  const other = zipOf([{ name: 'word/document.xml', content: '<a/>' }]);
  expect(inspect.detects(sourceOf({ 'a.eval': other }), {})).toBe(false);
  expect(inspect.detects(sourceOf({ 'a.json': '{"version":2,"results":[]}' }), {})).toBe(false);
  expect(inspect.detects(sourceOf({ 'a.json': jsonLog(), 'b.json': jsonLog() }), {})).toBe(false);
});
