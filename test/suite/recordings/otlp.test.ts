import { describe, expect, it } from 'vitest';
import { runSuite } from '../../../src/index.ts';
import { isSampled } from '../../../src/types/reports/scenario-report.ts';
import { logsRequest, otlpRecord, otlpSpan, spansRequest } from '../../importers/sources/otlp.ts';
import { folderWith } from './tau-runs.ts';

const CHAT = {
  'gen_ai.operation.name': 'chat',
  'gen_ai.request.model': 'large',
  'gen_ai.usage.input_tokens': 30,
  'gen_ai.usage.output_tokens': 10,
};
/** Two attempts at each of two tasks, of which one failed and one was not judged. */
const TRACES = [
  ['a', 'pass'],
  ['a', 'fail'],
  ['b', 'pass'],
  ['b', null],
] as const;
const SPANS = TRACES.flatMap(([task], at) => [
  otlpSpan({ trace: `${at}`, id: 'chat', parent: 'agent', attributes: CHAT }),
  otlpSpan({
    trace: `${at}`,
    id: 'agent',
    attributes: { 'gen_ai.operation.name': 'invoke_agent', 'test.case.name': task },
  }),
]);
const LOGS = TRACES.flatMap(([, label], at) =>
  label === null
    ? []
    : [
        otlpRecord({
          trace: `${at}`,
          span: 'agent',
          name: 'gen_ai.evaluation.result',
          attributes: { 'gen_ai.evaluation.name': 'correct', 'gen_ai.evaluation.score.label': label },
        }),
      ],
);
const FILES = {
  'traces-1.jsonl': JSON.stringify(spansRequest(SPANS.slice(0, 3))),
  'traces-2.jsonl': [SPANS.slice(3, 4), SPANS.slice(4)].map((some) => JSON.stringify(spansRequest(some))).join('\n'),
  'logs.jsonl': JSON.stringify(logsRequest(LOGS)),
};

async function scored(recordings: readonly string[], cwd = folderWith(FILES)) {
  const report = await runSuite({ cwd, recordings, workers: 0 });
  const [scenario] = report.scenarios;
  if (scenario === undefined || !isSampled(scenario)) throw new Error(JSON.stringify(report.notices));
  const { name, trials, passRate, recording, brokenCauses } = scenario;
  return {
    scenarios: report.scenarios.length,
    name,
    trials: [trials.passed, trials.failed, trials.broken],
    passRate,
    tasks: recording?.tasks,
    tokens: recording?.cost.tokens,
    files: recording?.files.map((file) => file.name),
    causes: brokenCauses?.map(({ cause }) => cause),
  };
}

describe('traces in OTLP', () => {
  it('whose spans and verdicts stand in several files are whole runs, however the files are given', async () => {
    const expected = {
      scenarios: 1,
      name: 'shop 2',
      trials: [2, 1, 1],
      passRate: 0.5,
      tasks: 2,
      tokens: 160,
      files: ['logs.jsonl', 'traces-1.jsonl', 'traces-2.jsonl'],
      causes: ['Nobody judged it.'],
    };
    expect(await scored(['.'])).toEqual(expected);
    const files = ['traces-2.jsonl', 'logs.jsonl', 'traces-1.jsonl'];
    expect(await scored(files)).toEqual({ ...expected, files });
  });

  it('beside files of other formats in a folder are one set, and the others sets of their own', async () => {
    const cwd = folderWith({ ...FILES, 'table.jsonl': '{"task":"t","passed":true}\n{"task":"t","passed":false}' });
    const { scenarios, notices } = await runSuite({ cwd, recordings: ['.'], workers: 0 });
    expect(scenarios.map(({ name, trials }) => [name, trials.executed])).toEqual([
      ['shop 2', 4],
      ['table.jsonl', 2],
    ]);
    expect(notices.filter(({ code }) => code === 'bad_recording')).toEqual([]);
  });
});
