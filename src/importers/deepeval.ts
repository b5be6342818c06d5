import {
  ImportError,
  type ImportedCost,
  type ImportedMessage,
  type ImportedRun,
  type ImportedScore,
  type ImporterType,
} from '../plugin/importer-type.ts';
import type { Json, JsonObject } from '../types/json.ts';
import { fieldAt, listAt, numberAt, textAt } from '../values/json-fields.ts';
import { chatMessages } from './chat-messages.ts';
import { headJson } from './head-json.ts';
import { jsonPlaces } from './json-places.ts';
import { readObject } from './read-record.ts';

const LISTS = ['testCases', 'conversationalTestCases'];

/** Test runs of DeepEval, as it writes them into its folder of results. Cases of the same name and input are attempts. */
export const deepeval: ImporterType = {
  kind: 'importer',
  type: 'deepeval',
  summary: 'Test runs of DeepEval: a file of testCases with metricsData.',
  detects(source) {
    if (source.files.length !== 1) return false;
    const head = source.head(0);
    const { root, keys } = headJson(head);
    const text = Buffer.from(head).toString('latin1');
    const isRun = LISTS.some((list) => keys.has(list)) || /^\s*\{\s*"testRunData"\s*:\s*\{\s*"testCases"/.test(text);
    return root === 'object' && isRun && /"(?:metricsData|actualOutput|turns|metricsScores)"/.test(text);
  },
  *index(source, index) {
    const runs = index.set('');
    const { cut } = yield* jsonPlaces({
      read: (from, to) => source.read(0, from, to),
      bytes: source.files[0]?.bytes ?? 0,
      paths: LISTS.flatMap((list) => [
        [list, '*'],
        ['testRunData', list, '*'],
      ]),
      found: ({ from, to }) => runs.add({ file: 0, from, to }),
    });
    if (cut !== null) index.problem({ message: cut.message, file: 0, ...(cut.at !== undefined && { at: cut.at }) });
  },
  read([piece]) {
    const run = readObject(piece);
    const metrics = listAt(run, 'metricsData');
    const failed = metrics.filter((metric) => fieldAt(metric, 'success') !== true);
    // What failed by itself fails the case, whatever became of the others.
    const crashed = failed.every(hasCrashed) ? failed[0] : undefined;
    const seconds = numberAt(run, 'completionTime');
    const costs = costsOf(run, metrics);
    const documents = [...listAt(run, 'retrievalContext'), ...listAt(run, 'context')].filter(
      (one) => typeof one === 'string',
    );
    const gold = listAt(run, 'expectedTools');
    const messages = messagesOf(run);
    return {
      task: taskOf(run),
      scores: scoresOf(run, metrics),
      ...(crashed !== undefined && { error: `The metric ${nameOf(crashed)} failed: ${textAt(crashed, 'error')}` }),
      ...(messages.length > 0 && { messages }),
      ...(costs.length > 0 && { costs }),
      ...(seconds !== null && seconds >= 0 && { durationMs: seconds * 1000 }),
      ...(documents.length > 0 && { documents: documents.map((text) => ({ source: null, text })) }),
      ...(gold.length > 0 && {
        gold: gold.map((call) => ({
          name: textAt(call, 'name') ?? '',
          args: (fieldAt(call, 'inputParameters') ?? {}) as Json,
        })),
      }),
      extra: extraOf(run),
      unsaid: {
        usage: 'DeepEval keeps no tokens of the subject',
        ...(numberAt(run, 'tokenCost') === null && { cost: 'the case has no tokenCost' }),
        ...(seconds === null && {
          durationMs: 'the case has no completionTime; runDuration is the time of its evaluation',
        }),
      },
    } satisfies ImportedRun;
  },
};

function hasCrashed(metric: unknown): boolean {
  return textAt(metric, 'error') !== null;
}

function nameOf(metric: unknown): string {
  return textAt(metric, 'name') ?? 'without a name';
}

/** The name that was given to it, and its input: cases that are one test with other inputs may share a name. */
function taskOf(run: unknown): string {
  const turn = listAt(run, 'turns').map((one) => textAt(one, 'content'))[0];
  const input = textAt(run, 'input') ?? textAt(run, 'scenario') ?? turn ?? '';
  const name = textAt(run, 'name') ?? '';
  // As DeepEval calls those without a name, by their position.
  const given = /^(?:conversational_)?test_case_\d+$/.test(name) ? '' : name;
  const task = [given, input].filter((part) => part !== '').join(': ');
  if (task === '') throw new ImportError('It has neither a name nor an "input".');
  return task;
}

function scoresOf(run: unknown, metrics: readonly unknown[]): readonly ImportedScore[] {
  const success = fieldAt(run, 'success');
  const all: ImportedScore[] = typeof success === 'boolean' ? [{ name: 'success', value: success }] : [];
  return [
    ...all,
    ...metrics.map((metric): ImportedScore => {
      const passed = fieldAt(metric, 'success');
      const reason = textAt(metric, 'reason');
      return {
        name: nameOf(metric),
        value: numberAt(metric, 'score'),
        ...(typeof passed === 'boolean' && !hasCrashed(metric) && { passed }),
        ...(reason !== null && { explanation: reason }),
      };
    }),
  ];
}

/** That of the subject, and that of the judges. Where the subject's is not told, the sum is not known. */
function costsOf(run: unknown, metrics: readonly unknown[]): readonly ImportedCost[] {
  const own = numberAt(run, 'tokenCost');
  const judged = numberAt(run, 'evaluationCost') ?? 0;
  const judges = [...new Set(metrics.flatMap((metric) => textAt(metric, 'evaluationModel') ?? []))];
  const subject: ImportedCost = { kind: 'model', name: 'model', ...(own !== null && own >= 0 && { usd: own }) };
  const judge: ImportedCost = { kind: 'judge', name: judges.length === 1 ? (judges[0] ?? '') : 'judge', usd: judged };
  return [...(own !== null || judged > 0 ? [subject] : []), ...(judged > 0 ? [judge] : [])];
}

/** The turns of a conversation; else the input, the calls, whose order among what was said is not told, and the output. */
function messagesOf(run: unknown): readonly ImportedMessage[] {
  const turns = listAt(run, 'turns');
  if (turns.length > 0) return chatMessages(turns);
  const calls = listAt(run, 'toolsCalled');
  const asked = calls.map((call, at) => ({
    id: `${at}`,
    name: fieldAt(call, 'name'),
    arguments: fieldAt(call, 'inputParameters'),
  }));
  const answered = calls.flatMap((call, at) => {
    const content = fieldAt(call, 'output');
    return content === undefined || content === null ? [] : [{ role: 'tool', tool_call_id: `${at}`, content }];
  });
  const [input, output] = [textAt(run, 'input'), textAt(run, 'actualOutput')];
  return chatMessages([
    ...(input === null ? [] : [{ role: 'user', content: input }]),
    ...(asked.length === 0 ? [] : [{ role: 'assistant', tool_calls: asked }]),
    ...answered,
    ...(output === null ? [] : [{ role: 'assistant', content: output }]),
  ]);
}

/** What is told elsewhere, or long. */
const LEFT_OUT = new Set(
  'name input actualOutput turns toolsCalled expectedTools retrievalContext context success completionTime tokenCost trace'.split(
    ' ',
  ),
);

function extraOf(run: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(run).filter(([key, value]) => !LEFT_OUT.has(key) && value !== null));
}
