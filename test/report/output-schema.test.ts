import { inReleaseFolder } from '../release/a-release.ts';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { Compile } from 'typebox/schema';
import { expect, test } from 'vitest';
import { baselineText } from '../../src/baseline/baseline-text.ts';
import { historyFile } from '../../src/baseline/history-file.ts';
import {
  canary,
  auditSet,
  certify,
  auditTable,
  calibrateJudge,
  compareRecordings,
  type EvalResult,
  explainRelease,
  explainScenario,
  golden,
  judgeTunnel,
  makeKeys,
  planSuite,
  priceRun,
  runSuite,
  traceTrial,
} from '../../src/index.ts';
import { type OutputDocument, outputSchema } from '../../src/report/output-schema.ts';
import { renderJson } from '../../src/report/render-json.ts';
import { reportSchema } from '../../src/report/report-schema.ts';
import type { Json, JsonObject } from '../../src/types/json.ts';
import { isJsonObject } from '../../src/values/is-json.ts';
import { aBaseline, aBaselineScenario } from '../baseline/a-baseline.ts';
import { aHistoryRun, aKeptScenario } from '../baseline/a-history.ts';
import { aGreeting } from '../cli/run-passk.ts';
import { aGoldenSet } from '../golden/a-golden-set.ts';
import { folderWith, tauRuns, tauText } from '../suite/recordings/tau-runs.ts';
import { aContractReport, aFinanceContract } from './a-contract.ts';
import { REPORT_CASES } from './report-cases.ts';

const run = promisify(execFile);

test('the schemas are those of the types: npm run schemas writes them', async () => {
  const { stdout } = await run(process.execPath, ['scripts/write-schemas.mjs', '--check']);
  expect(stdout).toBe('');
}, 120_000);

const SCENARIO = 'corpus/reliability/fragile-router.toml';

/** A document of each kind as passk writes it. */
const DOCUMENTS: Readonly<Record<OutputDocument, () => unknown>> = {
  report: async () => runSuite({ paths: [SCENARIO], workers: 0, trials: 20 }),
  plan: () => planSuite({ paths: [SCENARIO], gates: ['pass^8.lower(0.9) >= 0.9'] }),
  explain: () => explainScenario({ file: SCENARIO }),
  trace: () => traceTrial({ file: SCENARIO, trial: 1 }),
  baseline: () => JSON.parse(baselineText(aBaseline([aBaselineScenario()]))),
  canary: async () => {
    const stage =
      '[[stages]]\npercent = 0\nmin_outcomes = 2\nmax_outcomes = 9\nmin_pass_rate = 0.5\nmax_error_rate = 0.1';
    const line = { id: '1', at: '2026-11-01T00:00:00Z', arm: 'candidate', version: '2', passed: false, cost_usd: 1 };
    const cwd = folderWith({
      'canary.toml': `candidate = "2"\ntier = "dev"\nmax_cost_per_outcome = 1\n${stage}\nmax_cost_per_success = 1\n`,
      'a.jsonl': `${JSON.stringify(line)}\n${JSON.stringify({ ...line, id: '2', violation: true })}\n{}`,
    });
    return (await canary.step({ config: 'canary.toml', outcomes: ['a.jsonl'], cwd })).report;
  },
  'canary-rehearsal': () => {
    const stage =
      '[[stages]]\npercent = 5\nmin_outcomes = 2\nmax_outcomes = 99\nmin_pass_rate = 0.5\nmax_error_rate = 0.1';
    const cwd = folderWith({ 'canary.toml': `candidate = "2"\ntier = "dev"\n${stage}\n` });
    return canary.rehearse({ config: 'canary.toml', cwd, rollouts: 20 });
  },
  'canary-shadow': () => {
    const stage =
      '[[stages]]\npercent = 0\nmin_outcomes = 2\nmax_outcomes = 99\nmin_pass_rate = 0.5\nmax_error_rate = 0.1';
    const cwd = aGoldenSet(2, [1]);
    writeFileSync(path.join(cwd, 'canary.toml'), `candidate = "2"\ntier = "dev"\n${stage}\n`);
    const how = { agents: 'next.toml', permissions: { run: ['./next.mjs'] }, workers: 1 };
    return canary.shadow({ config: 'canary.toml', paths: ['set'], out: 'shadow.jsonl', cwd, ...how });
  },
  comparison: async () => {
    const cwd = folderWith({
      'a.json': tauText(tauRuns({ a: 1, b: 2, c: 0 }, 2)),
      'b.json': tauText(tauRuns({ a: 0, b: 2, d: 0 }, 2)),
    });
    return compareRecordings({ cwd, workers: 0, baseline: ['a.json'], candidate: ['b.json'], margin: 0.1 });
  },
  golden: () =>
    golden.pin({ paths: ['a.toml'], out: 'golden.json', cwd: folderWith({ 'a.toml': aGreeting() }), workers: 0 }),
  'golden-run': async () => {
    const cwd = folderWith({ 'a.toml': aGreeting(), 'b.toml': aGreeting({ lastNode: 'greet' }) });
    await golden.pin({ paths: ['a.toml'], out: 'golden.json', runs: 2, cwd, workers: 0 });
    return golden.run({ set: 'golden.json', paths: ['b.toml'], issueSink: 'issues.jsonl', cwd, workers: 0 });
  },
  'set-audit': () =>
    auditSet({
      cwd: folderWith({ 'a.json': tauText([{ task: 'a', trial: 0, reward: 1, gold: [] }]) }),
      paths: ['a.json'],
    }),
  history: () => JSON.parse(historyFile(aHistoryRun(1, [aKeptScenario()])).text),
  'judge-calibration': () => {
    const rows = '{"id":"a","human":1,"judge":1}\n{"id":"b","human":0,"judge":0}\n{"id":"c","judge":1}\n';
    return calibrateJudge({ cwd: folderWith({ 'a.jsonl': rows }), labels: ['a.jsonl'], judge: 'a-judge' });
  },
  'judge-tunnel': () => judgeTunnel({ pairs: 20, trials: 2 }),
  release: () => aRecord(),
  certificate: () => aCertificate(),
  'release-explanation': async () => explainRelease(await aRecord()),
  price: () => pricedRun(),
  'table-audit': () => auditTable({ paths: [fileURLToPath(new URL('fixtures/published-table.csv', import.meta.url))] }),
};

test.each(Object.entries(DOCUMENTS))('a %s is valid, and is not with a key more or one less', async (kind, make) => {
  const schema = Compile(await outputSchema(kind as OutputDocument));
  const document = JSON.parse(JSON.stringify(await make())) as JsonObject;
  expect(schema.Errors(document)[1]).toEqual([]);
  expect(schema.Check({ ...document, more: 1 })).toBe(false);
  for (const key of Object.keys(document).filter((name) => name !== 'timing' && name !== 'live')) {
    const { [key]: _, ...rest } = document;
    expect([key, schema.Check(rest)]).toEqual([key, false]);
  }
});

async function aRecord(): Promise<EvalResult> {
  const records: EvalResult[] = [];
  await inReleaseFolder(async ({ run }) => {
    // Without a rule for faithfulness something must change.
    records.push(await run({ rules: { faithfulness: [] } }));
  });
  const [record] = records;
  if (record === undefined) throw new Error('No record was made.');
  return record;
}

async function pricedRun(): Promise<unknown> {
  let priced: unknown = null;
  await inReleaseFolder(async ({ run, folder }) => {
    await run();
    priced = await priceRun({ run: 'release.json', rates: 'rates.toml', cwd: folder, maxCostPerSuccess: 1 });
  });
  return priced;
}

/** A place in a document, and another value for it. */
interface Mutation {
  readonly at: readonly (string | number)[];
  readonly to: Json;
}

/** Keys that the schema leaves to whoever writes them, or whose value may be any JSON. */
const FREE = new Set([
  'expected',
  'got',
  'reasons',
  'inputs',
  'request',
  'reply',
  'output',
  'finalValue',
  'outputs',
  'args',
  'result',
]);

/** Each value of a wrong type, and each object with a key that nobody knows. */
function mutations(value: Json, at: Mutation['at'] = []): readonly Mutation[] {
  const wrong: Json = isJsonObject(value) || Array.isArray(value) ? 'text' : { any: 1 };
  const own: Mutation[] = at.length === 0 ? [] : [{ at, to: wrong }];
  if (Array.isArray(value)) return [...own, ...value.flatMap((item: Json, index) => mutations(item, [...at, index]))];
  if (!isJsonObject(value)) return own;
  const inside = Object.entries(value).filter(([key]) => !FREE.has(key));
  return [
    ...own,
    { at, to: { ...value, 'unknown key': 1 } },
    ...inside.flatMap(([key, inner]) => mutations(inner, [...at, key])),
  ];
}

function mutated(value: Json, [step, ...rest]: Mutation['at'], to: Json): Json {
  if (step === undefined) return to;
  if (Array.isArray(value)) return value.map((item: Json, index) => (index === step ? mutated(item, rest, to) : item));
  return Object.fromEntries(
    Object.entries(value as JsonObject).map(([key, inner]) => [key, key === step ? mutated(inner, rest, to) : inner]),
  );
}

test('no report with a wrong type or an unknown key anywhere is taken for one', () => {
  const schema = Compile(reportSchema);
  const reports = [...Object.values(REPORT_CASES), aContractReport(aFinanceContract(8))].map(
    (report) => JSON.parse(renderJson(report, { timing: true })) as JsonObject,
  );
  for (const report of reports) expect(schema.Errors(report)[1]).toEqual([]);
  const cases = reports.flatMap((report) => mutations(report).map((mutation) => ({ report, mutation })));
  expect(cases.length).toBeGreaterThan(2000);
  fc.assert(
    fc.property(fc.constantFrom(...cases), ({ report, mutation: { at, to } }) => {
      expect(schema.Check(mutated(report, at, to))).toBe(false);
    }),
    { numRuns: 1000 },
  );
});

async function aCertificate(): Promise<unknown> {
  const cwd = folderWith({ 'a.toml': aGreeting() });
  const { certificate } = await certify({ cwd, workers: 0, key: makeKeys().privateKey, out: 'a.cert' });
  return certificate;
}
