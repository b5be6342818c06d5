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

/** Test runs that DeepEval writes into its folder of results. Cases of the same name and input are attempts. */
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
    // A metric that failed without crashing fails the case, even if others crashed.
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

/** The name of the case and its input: cases of one test with other inputs may share a name. */
function taskOf(run: unknown): string {
  const turn = listAt(run, 'turns').map((one) => textAt(one, 'content'))[0];
  const input = textAt(run, 'input') ?? textAt(run, 'scenario') ?? turn ?? '';
  const name = textAt(run, 'name') ?? '';
  // DeepEval names a case without a name by its position.
  const ownName = /^(?:conversational_)?test_case_\d+$/.test(name) ? '' : name;
  const task = [ownName, input].filter((part) => part !== '').join(': ');
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

/** The costs of the subject and of the judges. Without a cost of the subject its line has no price, so the sum is unknown. */
function costsOf(run: unknown, metrics: readonly unknown[]): readonly ImportedCost[] {
  const subjectUsd = numberAt(run, 'tokenCost');
  const judgeUsd = numberAt(run, 'evaluationCost') ?? 0;
  const judges = [...new Set(metrics.flatMap((metric) => textAt(metric, 'evaluationModel') ?? []))];
  const subject: ImportedCost = {
    kind: 'model',
    name: 'model',
    ...(subjectUsd !== null && subjectUsd >= 0 && { usd: subjectUsd }),
  };
  const judge: ImportedCost = { kind: 'judge', name: judges.length === 1 ? (judges[0] ?? '') : 'judge', usd: judgeUsd };
  return [...(subjectUsd !== null || judgeUsd > 0 ? [subject] : []), ...(judgeUsd > 0 ? [judge] : [])];
}

/** The turns of a conversation; else the input, the calls, whose place in the conversation is unknown, and the output. */
function messagesOf(run: unknown): readonly ImportedMessage[] {
  const turns = listAt(run, 'turns');
  if (turns.length > 0) return chatMessages(turns);
  const calls = listAt(run, 'toolsCalled');
  const callList = calls.map((call, at) => ({
    id: `${at}`,
    name: fieldAt(call, 'name'),
    arguments: fieldAt(call, 'inputParameters'),
  }));
  const resultList = calls.flatMap((call, at) => {
    const content = fieldAt(call, 'output');
    return content === undefined || content === null ? [] : [{ role: 'tool', tool_call_id: `${at}`, content }];
  });
  const [input, output] = [textAt(run, 'input'), textAt(run, 'actualOutput')];
  return chatMessages([
    ...(input === null ? [] : [{ role: 'user', content: input }]),
    ...(callList.length === 0 ? [] : [{ role: 'assistant', tool_calls: callList }]),
    ...resultList,
    ...(output === null ? [] : [{ role: 'assistant', content: output }]),
  ]);
}

/** Fields that the run has in other places, and long ones. */
const LEFT_OUT = new Set(
  'name input actualOutput turns toolsCalled expectedTools retrievalContext context success completionTime tokenCost trace'.split(
    ' ',
  ),
);

function extraOf(run: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(run).filter(([key, value]) => !LEFT_OUT.has(key) && value !== null));
}
