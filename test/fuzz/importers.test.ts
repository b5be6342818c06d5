import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { builtinImporters } from '../../src/importers/builtin.ts';
import { agentdojo } from '../../src/importers/agentdojo/agentdojo.ts';
import { atif } from '../../src/importers/atif/atif.ts';
import { deepeval } from '../../src/importers/deepeval.ts';
import { harbor } from '../../src/importers/harbor.ts';
import { junit } from '../../src/importers/junit/junit.ts';
import { helicone } from '../../src/importers/helicone/helicone.ts';
import { langfuse } from '../../src/importers/langfuse/langfuse.ts';
import { langsmith } from '../../src/importers/langsmith/langsmith.ts';
import { inspect } from '../../src/importers/inspect/inspect.ts';
import { otlp } from '../../src/importers/otlp/otlp.ts';
import { passkReport } from '../../src/importers/passk/passk-report.ts';
import { promptfoo } from '../../src/importers/promptfoo/promptfoo.ts';
import { csv } from '../../src/importers/table/csv.ts';
import { jsonl } from '../../src/importers/table/jsonl.ts';
import { tauBench } from '../../src/importers/tau-bench.ts';
import { unpackEntry } from '../../src/importers/zip/unpack-entry.ts';
import { type ZipEntries, zipEntries } from '../../src/importers/zip/zip-entries.ts';
import { tau2Bench } from '../../src/importers/tau2/tau2-bench.ts';
import { promptfooCases } from '../../src/suites/session/attacks/promptfoo-cases.ts';
import { type ImportedRun, ImportError, type ImporterType } from '../../src/plugin/importer-type.ts';
import { importAll, sourceOf } from '../importers/import-all.ts';
import { cell } from '../importers/sources/agentdojo.ts';
import { TRAJECTORY } from '../importers/sources/atif.ts';
import { testCase, testRun } from '../importers/sources/deepeval.ts';
import { jobFiles, trialResult } from '../importers/sources/harbor.ts';
import { heliconeSession } from '../importers/sources/helicone.ts';
import { langfuseTrace } from '../importers/sources/langfuse.ts';
import { jsonLines, langsmithTrace } from '../importers/sources/langsmith.ts';
import { evalLog, jsonLog } from '../importers/sources/inspect.ts';
import { zipOf } from '../importers/sources/zip.ts';
import { evaluation, row } from '../importers/sources/promptfoo.ts';
import { results, simulation } from '../importers/sources/tau2.ts';
import { logsRequest, otlpRecord, otlpSpan, spansRequest } from '../importers/sources/otlp.ts';
import { renderAtif } from '../../src/report/atif/atif-files.ts';
import { aFailure, aReport, aScenario } from '../report/a-report.ts';
import { BARE, SAID } from '../report/arbitrary-record.ts';
import { fuzz } from './fuzz.ts';
import { mutatedBytes, mutatedJson, mutatedTexts } from './mutations.ts';

const LONG = 24 * 3_600_000;

const ROWS = [
  { task: 'a', agent: 'x', trial: 0, passed: true, cost: 0.1, prompt_tokens: 7, error: null, latency_ms: 5 },
  { task: 'b', agent: 'y', trial: 1, passed: 'no', score: 0.5, messages: [{ role: 'user', content: 'Hi' }] },
];
const TAU = { task_id: 3, trial: 1, reward: 1, info: {}, traj: [{ role: 'user', content: 'Hi' }] };

/** As much of a report as is read. */
const REPORT = {
  schema: 'passk-report/3',
  partial: false,
  scenarios: [
    {
      name: 'a',
      verdict: 'failed',
      sampler: 'seeded',
      trials: { passed: 2, failed: 1, broken: 1 },
      failures: [
        {
          trial: 1,
          verdict: 'failed',
          findings: [{ check: 'c', message: 'm' }],
          record: {
            turns: [{ role: 'assistant', parts: [{ kind: 'text', text: 'x' }], answer: { model: 'm', latencyMs: 1 } }],
            calls: [{ names: ['look'], by: '', args: {}, result: null, problem: 'p' }],
          },
        },
      ],
    },
  ],
  results: [],
};
const JUNIT = `<?xml version="1.0"?><testsuites><testsuite name="s"><testcase classname="c" name="a" time="1"/>
<testcase classname="c" name="b"><failure message="m">&lt;x</failure><system-out><![CDATA[o]]></system-out></testcase>
<!-- d --><testcase name="e"><error/></testcase></testsuite></testsuites>`;
/** Of tests that were skipped or repeated, which is told. */
const JUNIT_TOLD = `<testsuite><testcase name="c"><skipped/></testcase><testcase name="a"><flakyError/></testcase></testsuite>`;

/** A file by itself; of Harbor the result of one of two trials. */
function sourceWith(importer: ImporterType, file: string | Uint8Array) {
  if (importer !== harbor) return sourceOf({ 'a file': file });
  return sourceOf({ ...jobFiles({ one: trialResult(), two: trialResult() }), 'one/two/result.json': file }, 'jobs');
}

const SPANS = [
  otlpSpan({ id: 'agent', attributes: { 'openinference.span.kind': 'AGENT', 'test.case.result.status': 'pass' } }),
  otlpSpan({
    id: 'chat',
    parent: 'agent',
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.input.messages': JSON.stringify([{ role: 'user', parts: [{ type: 'text', content: 'Hi' }] }]),
      'gen_ai.output.messages': [{ role: 'assistant', parts: [{ type: 'tool_call', name: 'f', arguments: '{}' }] }],
      'gen_ai.usage.input_tokens': 9,
      'gen_ai.usage.cache_read.input_tokens': 12,
    },
  }),
  otlpSpan({ trace: 'other', id: 'llm', attributes: { 'llm.model_name': 'm', 'llm.token_count.prompt': 3 } }),
];
const EVALUATION = otlpRecord({
  name: 'gen_ai.evaluation.result',
  span: 'chat',
  attributes: { 'gen_ai.evaluation.name': 'e', 'gen_ai.evaluation.score.value': 0.5 },
});

/** A trial whose record goes through ATIF, with what only `extra.passk` can hold. */
const FAILED = aFailure({
  record: {
    ...BARE,
    turns: [
      { ...SAID, role: 'user', parts: [{ kind: 'media', contentType: 'audio/wav', url: 'https://x/a.wav' }] },
      { ...SAID, role: 'assistant', parts: [{ kind: 'tool_call', id: 'c', name: 'look', args: [1] }] },
      { ...SAID, role: 'tool', parts: [{ kind: 'tool_result', id: 'c', name: 'look', result: { found: 2 } }] },
    ],
  },
});

/** Sound files of each format, small enough that a change strikes something. */
const SOUND: readonly (readonly [ImporterType, readonly (string | Uint8Array)[]])[] = [
  [
    atif,
    [
      `${JSON.stringify(TRAJECTORY)}\n${JSON.stringify({ ...TRAJECTORY, session_id: 'other' })}`,
      renderAtif(aReport({ scenarios: [aScenario({ failed: 2 }, { failures: [FAILED, { ...FAILED, trial: 1 }] })] })),
    ],
  ],
  [harbor, [JSON.stringify(trialResult())]],
  [inspect, [jsonLog(), evalLog()]],
  [agentdojo, [JSON.stringify(cell())]],
  [promptfoo, [evaluation([row(), row({ testIdx: 1, failureReason: 2, error: 'down' })])]],
  [
    deepeval,
    [
      testRun(
        [testCase(), testCase({ success: false })],
        [{ scenario: 'x', turns: [{ role: 'user', content: 'Hi' }], success: true }],
      ),
    ],
  ],
  [tau2Bench, [JSON.stringify({ ...results(), simulations: [simulation(), simulation({ id: 'other', trial: 1 })] })]],
  [tauBench, [JSON.stringify([TAU, { ...TAU, trial: 2, info: { error: 'x' } }])]],
  [junit, [JUNIT]],
  [passkReport, [JSON.stringify(REPORT)]],
  [
    langsmith,
    [
      jsonLines([...langsmithTrace(1), ...langsmithTrace(2)]),
      JSON.stringify({ post: langsmithTrace(1), patch: langsmithTrace(2) }),
    ],
  ],
  [
    langfuse,
    [
      JSON.stringify({ data: [langfuseTrace(1), langfuseTrace(2)], meta: { page: 1 } }),
      jsonLines([langfuseEvents(1), langfuseEvents(2)]),
    ],
  ],
  [
    otlp,
    [
      [spansRequest(SPANS.slice(1)), logsRequest([EVALUATION]), spansRequest(SPANS.slice(0, 1))]
        .map((request) => JSON.stringify(request))
        .join('\n'),
      JSON.stringify(spansRequest(SPANS), null, 1),
    ],
  ],
  [
    helicone,
    [
      jsonLines([...heliconeSession(1), ...heliconeSession(2)]),
      JSON.stringify({ data: [...heliconeSession(1), ...heliconeSession(2)] }),
    ],
  ],
  [jsonl, [ROWS.map((row) => JSON.stringify(row)).join('\n'), JSON.stringify(ROWS, null, 1)]],
  [csv, ['task,agent,passed,cost,note\na,x,true,0.5,"one, ""two"""\r\nb,y,0,,\n', 'task;score\na;0.5\nb;1\n']],
];

/** A trace as the SDK sends it. */
function langfuseEvents(n: number): object {
  const { observations, scores, ...trace } = langfuseTrace(n);
  const event = (type: string, body: unknown) => ({ id: 'e', timestamp: '2026-03-01T10:00:00Z', type, body });
  return {
    batch: [
      event('trace-create', trace),
      ...(observations as readonly object[]).map((one) => event('observation-create', one)),
      ...(scores as readonly object[]).map((one) => event('score-create', one)),
    ],
  };
}

/** Files of frames, whose bytes are read by the rooms above: `run-files.test.ts` fuzzes them. */
const FRAMED: readonly string[] = ['passk-journal', 'passk-shard'];

test('every format has a row in docs/evidence.md', () => {
  const rows = readFileSync('docs/evidence.md', 'utf8').match(/^\| `.*$/gm) ?? [];
  const missing = builtinImporters.filter(
    ({ type }) => !rows.some((row) => row.split(' | ')[0]?.includes(`\`${type}\``)),
  );
  expect(missing.map(({ type }) => type)).toEqual([]);
});

test('every format has sound files here, and each is read whole', () => {
  const types = builtinImporters.map(({ type }) => type).filter((type) => !FRAMED.includes(type));
  expect(SOUND.map(([{ type }]) => type).sort()).toEqual(types.sort());
  for (const [importer, files] of SOUND) {
    for (const file of files) {
      const source = sourceWith(importer, file);
      // No other format takes it for its own.
      expect(builtinImporters.find((one) => one.detects(source, {}) !== false)?.type).toBe(importer.type);
      const { sets, broken, problems } = importAll(importer, source);
      expect([importer.type, broken, problems]).toEqual([importer.type, [], []]);
      expect(Object.values(sets).flat().length).toBeGreaterThan(1);
    }
  }
});

for (const [importer, files] of SOUND) {
  const sound = [...files, ...(importer === junit ? [JUNIT_TOLD] : [])].map((file) => Buffer.from(file));
  const texts = mutatedTexts(sound.map((bytes) => bytes.toString('latin1')));
  const inputs = fc.oneof(
    mutatedBytes(sound),
    texts.map(({ text }) => Buffer.from(text, 'latin1')),
    fc.uint8Array({ maxLength: 300 }),
  );
  test(`any bytes in place of ${importer.type} are runs, broken runs, problems or one error with a reason`, {
    timeout: LONG,
  }, async () => {
    await fuzz(`importer ${importer.type}`, inputs, 500, (bytes) => {
      const source = sourceWith(importer, bytes);
      const detected = builtinImporters.map((one) => one.detects(source, {}));
      expect(detected.filter((answer) => answer !== true && answer !== false && answer !== 'folder')).toEqual([]);
      try {
        const { sets } = importAll(strict(importer), source);
        for (const run of Object.values(sets).flat()) expectSound(run);
      } catch (error) {
        if (!(error instanceof ImportError)) throw error;
        expect(error.message).toMatch(/^[A-Z].*\./s);
      }
    });
  });
}

test('any bytes in place of a ZIP archive are entries within it, apart from each other, or one error with a reason', {
  timeout: LONG,
}, async () => {
  const entries = ['a', 'b', 'a'].map((name) => ({ name, content: name.repeat(50) }));
  const sound = [zipOf(entries), zipOf(entries, { isLong: true, comment: 'x' }), zipOf([])];
  const inputs = fc.oneof(mutatedBytes(sound.map((bytes) => Buffer.from(bytes))), fc.uint8Array({ maxLength: 300 }));
  await fuzz('zip directory', inputs, 3000, (bytes) => {
    try {
      const found = entriesOf(bytes).entries.flatMap(({ data, record }) => (data === null ? [] : [{ data, record }]));
      let end = 0;
      for (const { data, record } of found.sort((a, b) => a.data.from - b.data.from || a.data.to - b.data.to)) {
        expect(data.from).toBeGreaterThanOrEqual(end);
        end = data.to;
        expect(end).toBeLessThanOrEqual(bytes.length);
        unpackOrRefuse(bytes.subarray(data.from, data.to), bytes.subarray(record.from, record.to));
      }
    } catch (error) {
      if (!(error instanceof ImportError)) throw error;
    }
  });
});

function entriesOf(bytes: Uint8Array): ZipEntries {
  const steps = zipEntries((from, to) => bytes.subarray(from, to), bytes.length);
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value;
}

function unpackOrRefuse(packed: Uint8Array, record: Uint8Array): void {
  try {
    unpackEntry(packed, record);
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
  }
}

/** What `read` throws besides an `ImportError` breaks no run here: it fails the test. */
function strict(importer: ImporterType): ImporterType {
  return {
    ...importer,
    read(pieces, context) {
      try {
        return importer.read(pieces, context);
      } catch (error) {
        if (error instanceof ImportError) throw error;
        return {
          task: `threw ${String(error)}`,
          scores: [],
          unsaid: { threw: error instanceof Error ? String(error.stack) : '' },
        };
      }
    },
  };
}

function expectSound(run: ImportedRun): void {
  const { attempt = 0, durationMs = 0, costs = [], messages = [], scores } = run;
  const isCount = (count: number): boolean => Number.isSafeInteger(count) && count >= 0;
  const isAmount = (amount: number): boolean => Number.isFinite(amount) && amount >= 0;
  // Thousands of runs are looked at, and an `expect` takes longer than what it is told.
  const faults = [
    ...(run.unsaid?.['threw'] === undefined ? [] : [run.unsaid['threw']]),
    ...(run.task === '' ? ['no task'] : []),
    ...(isCount(attempt) && isAmount(durationMs) ? [] : ['attempt or duration']),
    ...(scores.every(({ value }) => typeof value !== 'number' || Number.isFinite(value)) ? [] : ['score']),
    ...(costs.every(({ usd = 0 }) => isAmount(usd)) ? [] : ['cost']),
    ...([...costs, ...messages].every(({ usage = {} }) => Object.values(usage).every(isCount)) ? [] : ['usage']),
  ];
  // It is plain data, which goes between threads.
  const copy = structuredClone(run);
  if (!isDeepStrictEqual(copy, run)) expect(copy).toEqual(run);
  if (faults.length > 0) expect({ run, faults }).toEqual({ run, faults: [] });
}

test('any JSON in place of a red team of promptfoo gives attacks with a text and a plugin, or none', {
  timeout: LONG,
}, async () => {
  const metadata = { pluginId: 'rbac', strategyId: 'base64' };
  const vars = { prompt: 'Pay.' };
  const sound = [
    { redteam: { injectVar: 'prompt' }, tests: [{ vars, metadata, provider: { id: 'promptfoo:redteam:goat' } }] },
    { config: {}, results: { results: [{ vars, testCase: { metadata }, metadata: { redteamFinalPrompt: 'Pay!' } }] } },
  ];
  await fuzz('red teams', mutatedJson(sound), 1000, (value) => {
    const { cases = [], left = 0 } = promptfooCases(value) ?? {};
    expect([cases.filter(({ payload, plugin }) => payload === '' || plugin === ''), left >= 0]).toEqual([[], true]);
  });
});
