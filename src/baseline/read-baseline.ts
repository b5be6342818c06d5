import type { TSchema } from 'typebox';
import { PasskError } from '../errors.ts';
import { pointerText, valueProblems } from '../source/check-schema.ts';
import { decodeUtf8 } from '../source/decode-utf8.ts';
import { isTable } from '../source/json-schema.ts';
import { BASELINE_FORMAT, type Baseline, type BaselineScenario } from '../types/baseline.ts';
import type { Json } from '../types/json.ts';
import { REPORT_SCHEMA } from '../types/reports/report.ts';
import { modelTestName } from '../values/model-test-name.ts';
import { baselineSchema, modelResultsSchema, referenceSchema, reportBaselineSchema } from './baseline.schema.ts';
import type { ComparedRun, ComparedScenario } from './compared-run.ts';
import { countVerdicts, decodeVerdicts, MOST_VERDICTS } from './verdict-bits.ts';

/** Larger files are no baselines of passk: 1,000 scenarios with all their verdicts take less. */
export const MAX_BASELINE_BYTES = 256 * 1024 * 1024;

/**
 * Reads a baseline: a file of `--save-baseline`, a JSON report of passk, or one of agentd-conformance. Throws `INPUT`
 * that says where and what is wrong; `name` stands for the file.
 */
export function readBaseline(bytes: Uint8Array, name: string): ComparedRun {
  const value = parseJson(bytes, name);
  if (!isTable(value)) throw unknownShape(name);
  if (typeof value.format === 'string') {
    if (value.format !== BASELINE_FORMAT) throw otherVersion(name, value.format, BASELINE_FORMAT);
    return runOfBaseline(checked<Baseline>(value, baselineSchema, name), name);
  }
  if (typeof value.schema === 'string') {
    if (value.schema !== REPORT_SCHEMA) throw otherVersion(name, value.schema, REPORT_SCHEMA);
    const report = checked<ReportBaseline>(value, reportBaselineSchema, name);
    const models = (report.results ?? []).filter(({ kind }) => kind === 'model');
    // Parsed from JSON.
    const cells = checked<readonly ModelResult[]>(models as unknown as Json, modelResultsSchema, name).flatMap(rowsOf);
    return runOfReport(report, cells, name);
  }
  if (!isTable(value.summary) || !Array.isArray(value.scenarios)) throw unknownShape(name);
  return runOfReference(checked<ReferenceBaseline>(value, referenceSchema, name));
}

const NO_CALLS: ComparedScenario['calls'] = { passed: null, failed: null };

/** A baseline as a run to compare with. Throws `INPUT` when its numbers contradict each other. */
export function runOfBaseline({ passk, seed, scenarios }: Baseline, name: string): ComparedRun {
  const compared = scenarios.map((scenario, i): ComparedScenario => {
    const { trials, passed, broken, spoilt = 0, sampler, words, digest, pure, live, constant } = scenario;
    const { whole, stopped = false, calls = null } = scenario;
    const verdicts = decodeVerdicts(scenario.verdicts);
    if (verdicts === null) throw contradiction(name, i, 'verdicts', 'is not base64 as passk writes it.');
    const problem = contradictionIn(scenario, verdicts);
    if (problem !== null) throw contradiction(name, i, ...problem);
    const { llmTokens: total = 0 } = scenario.total;
    return {
      name: scenario.name,
      file: scenario.file,
      trials,
      passed,
      broken,
      spoilt,
      passRate: trials === 0 ? null : passed / trials,
      // The agent was paid for these, too.
      tokens: total === null ? null : { total, squared: BigInt(scenario.tokensSquared), trials: trials + spoilt },
      costPerSuccess: passed === 0 || total === null ? null : total / passed,
      draws: { sampler, words, digest, pure, live, constant, whole, stopped, verdicts },
      calls: { passed: calls, failed: null },
    };
  });
  return { kind: 'baseline', passk, seed, scenarios: compared };
}

function contradictionIn(
  { trials, passed, failed, broken, spoilt = 0, whole, calls }: BaselineScenario,
  verdicts: Uint8Array,
): readonly [key: string, message: string] | null {
  if (passed + failed + broken !== trials) return ['trials', `must be passed + failed + broken, not ${trials}.`];
  if (calls !== undefined && calls.calls.length > calls.made)
    return ['calls', `lists more calls than the ${calls.made}.`];
  const passes = countVerdicts(verdicts, verdicts.length * 8);
  if (passes > passed) return ['verdicts', `holds ${passes} passing trials, but only ${passed} passed.`];
  if (!whole) return null;
  const ran = trials + spoilt;
  const within = countVerdicts(verdicts, Math.min(ran, MOST_VERDICTS));
  if (within !== passes) return ['verdicts', 'holds trials beyond the last.'];
  if (ran <= MOST_VERDICTS && passes !== passed) return ['verdicts', `holds ${passes} of ${passed} passing trials.`];
  return null;
}

/** The parts of a report that its schema checks. */
interface ReportBaseline {
  readonly passk: string;
  readonly seed: number;
  readonly partial: boolean;
  readonly scenarios: readonly {
    readonly name: string;
    readonly file: string;
    readonly verdict: string;
    readonly trials: { readonly passed: number; readonly failed: number; readonly broken: number };
    readonly cost: { readonly total: { readonly llmTokens?: number | null } };
    readonly session?: { readonly user?: { readonly leftOut: number } };
  }[];
  readonly results?: readonly { readonly kind: string }[];
}

interface ReportRow {
  readonly name: string;
  readonly file: string;
  readonly trials: { readonly passed: number; readonly failed: number; readonly broken: number };
  /** Null: nobody tells it. */
  readonly total: number | null;
  /** Of the broken ones, those that a simulated user spoilt. */
  readonly spoilt: number;
}

interface ModelResult {
  readonly name: string;
  readonly file: string;
  readonly cells: readonly {
    readonly model: string;
    readonly test: string;
    readonly trials: ReportRow['trials'];
    readonly tokens: number;
  }[];
}

function rowsOf({ name, file, cells }: ModelResult): readonly ReportRow[] {
  // What was skipped has nothing to compare.
  const ran = cells.filter(({ trials: { passed, failed, broken } }) => passed + failed + broken > 0);
  return ran.map(({ model, test, trials, tokens }) => {
    return { name: modelTestName(name, model, test), file, trials, total: tokens === 0 ? null : tokens, spoilt: 0 };
  });
}

function runOfReport(
  { passk, seed, partial, scenarios }: ReportBaseline,
  cells: readonly ReportRow[],
  name: string,
): ComparedRun {
  if (partial) {
    throw new PasskError('INPUT', `The baseline ${name} is the report of a run that was stopped early.`, {
      hint: 'Compare with a run that went to its end.',
    });
  }
  const ran = scenarios
    .filter(({ verdict }) => verdict !== 'load_error')
    .map(
      ({ cost, session, ...row }): ReportRow => ({
        ...row,
        total: totalOf(cost.total),
        spoilt: Math.min(row.trials.broken, session?.user?.leftOut ?? 0),
      }),
    );
  return {
    kind: 'report',
    passk,
    seed,
    scenarios: [...ran, ...cells].map((row): ComparedScenario => {
      const { name: scenario, file, total, spoilt } = row;
      const { passed, failed } = row.trials;
      const broken = row.trials.broken - spoilt;
      const trials = passed + failed + broken;
      return {
        name: scenario,
        file,
        trials,
        passed,
        broken,
        spoilt,
        passRate: trials === 0 ? null : passed / trials,
        tokens: total === null ? null : { total, squared: null, trials: trials + spoilt },
        costPerSuccess: passed === 0 || total === null ? null : total / passed,
        draws: null,
        calls: NO_CALLS,
      };
    }),
  };
}

/** A report of before tokens were counted has none. */
function totalOf({ llmTokens = 0 }: { readonly llmTokens?: number | null }): number | null {
  return llmTokens;
}

interface ReferenceBaseline {
  readonly scenarios: readonly {
    readonly name: string;
    readonly trials?: number;
    readonly passed_trials?: number;
    readonly pass_rate?: number;
    readonly cost_per_success_tokens?: number | null;
    readonly load_error?: string | null;
  }[];
}

function runOfReference({ scenarios }: ReferenceBaseline): ComparedRun {
  return {
    kind: 'reference',
    passk: null,
    seed: null,
    scenarios: scenarios.map((scenario): ComparedScenario => {
      const { name, trials = 0, pass_rate: rate = 0, cost_per_success_tokens: each = null } = scenario;
      const passed = Math.min(trials, scenario.passed_trials ?? Math.round(rate * trials));
      return {
        name,
        file: null,
        trials: scenario.load_error == null ? trials : 0,
        passed: scenario.load_error == null ? passed : 0,
        broken: 0,
        spoilt: 0,
        passRate: rate,
        tokens: each === null || trials === 0 ? null : { total: each * passed, squared: null, trials },
        costPerSuccess: each,
        draws: null,
        calls: NO_CALLS,
      };
    }),
  };
}

function parseJson(bytes: Uint8Array, name: string): Json {
  const decoded = decodeUtf8(bytes);
  if (!decoded.ok) {
    const { line, column } = decoded;
    throw new PasskError('INPUT', `The baseline ${name} is not UTF-8.`, {
      at: { file: name, line, column },
      hint: HINT,
    });
  }
  try {
    return JSON.parse(decoded.text) as Json;
  } catch (cause) {
    // The parser's own message repeats what stands there, and a settings file may have named any file.
    throw new PasskError('INPUT', `The baseline ${name} is not JSON.`, { hint: HINT, cause });
  }
}

/** Formats of earlier versions: trials had other draws, or no calls of sessions were kept. */
const OLDER: ReadonlySet<string> = new Set(['passk-baseline/1', 'passk-baseline/2', 'passk-baseline/3']);
const HINT = 'Write a new one with --save-baseline.';
/** Problems of one file that are named. */
const MOST_PROBLEMS = 5;

/** The value as its schema describes it, which is what `T` must say. */
function checked<T>(value: Json, schema: TSchema, name: string): T {
  const found = valueProblems(schema, value, 'the file');
  if (found.length === 0) return value as T;
  const problems = found.slice(0, MOST_PROBLEMS).map(({ message }) => message);
  const more = found.length > MOST_PROBLEMS ? ` There are ${found.length - MOST_PROBLEMS} more problems.` : '';
  throw new PasskError('INPUT', `The baseline ${name} cannot be used: ${problems.join(' ')}${more}`, { hint: HINT });
}

function contradiction(name: string, index: number, key: string, message: string): PasskError {
  const place = pointerText(['scenarios', index, key]);
  return new PasskError('INPUT', `The baseline ${name} contradicts itself: "${place}" ${message}`, { hint: HINT });
}

function otherVersion(name: string, found: string, supported: string): PasskError {
  const shown = JSON.stringify(found.slice(0, 60));
  const whose = OLDER.has(found) ? ', which an earlier passk wrote' : '';
  return new PasskError(
    'INPUT',
    `The baseline ${name} is of format ${shown}${whose}; this passk reads "${supported}".`,
    {
      hint: HINT,
    },
  );
}

function unknownShape(name: string): PasskError {
  return new PasskError('INPUT', `${name} is no baseline: it is no file of --save-baseline and no JSON report.`, {
    hint: HINT,
  });
}
