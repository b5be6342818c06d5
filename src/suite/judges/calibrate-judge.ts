import { createHash } from 'node:crypto';
import path from 'node:path';
import process from 'node:process';
import { PasskError } from '../../errors.ts';
import { calibrateLabels } from '../../judges/calibrate-labels.ts';
import { labelConflicts, otherCriteria } from '../../judges/label-conflicts.ts';
import { labelsOfClaims } from '../../judges/labels-of-claims.ts';
import { measureProbes } from '../../judges/measure-probes.ts';
import { type ProbeRow, readProbes } from '../../judges/read-probes.ts';
import { type LabelRow, readLabels } from '../../judges/read-labels.ts';
import { readSource, type SourceFile } from '../../source/source-file.ts';
import { type ModelOption, resolveModels } from '../../settings/model-options.ts';
import { type JudgeSetting, PREFERRED } from '../../types/judges/judge.ts';
import { plannedJudge } from './plan-judges.ts';
import type { AskedLabels, AskOptions } from './ask-labels.ts';
import { pinsOfJudge } from './judge-pins.ts';
import { judgeNamed } from './judge-named.ts';
import type { Issue } from '../../types/issue.ts';
import {
  type CalibrationFile,
  type CalibrationPin,
  type CalibrationPins,
  JUDGE_CALIBRATION_SCHEMA,
  type JudgeCalibration,
} from '../../types/judges/judge-calibration.ts';

/** What a calibration is about. */
export interface JudgeIdentity {
  /** The judge as its provider names it, with its version and settings where these matter. */
  readonly judge: string;
  /** Files; absent: not pinned. */
  readonly prompt?: string;
  /** SHA-256 of the rubric. */
  readonly rubric?: string;
  /** Judges of a configuration. Where one has this name, its models, passk's prompt and its rubric are pinned, and no files. */
  readonly judges?: readonly JudgeSetting[];
  /** Models by the names that these judges give them. */
  readonly models?: Readonly<Record<string, ModelOption>>;
  /** What paths are relative to; default: the working folder. */
  readonly cwd?: string;
}

/** Options of `calibrateJudge()`. */
export interface CalibrateJudgeOptions extends JudgeIdentity {
  /** JSON Lines or CSV with labels of people and verdicts of the judge. */
  readonly labels: readonly string[];
  /** The scenario of whose trials the labels are a random sample; absent: nobody says that they are one. */
  readonly sampleOf?: string;
  /**
   * Has the judge asked about the `response` of each row, and about variants that passk makes of them: padded, restyled, asked
   * again, with words that talk to the judge. It must be one of `judges`. Absent: nobody is asked.
   */
  readonly ask?: Omit<AskOptions, 'models' | 'cwd'>;
  /** JSON Lines or CSV with verdicts on probes; absent: nobody has probed it. */
  readonly probes?: readonly string[];
  /** Labels of each class; default: 50. */
  readonly minLabels?: number;
  /** For the lower end of kappa's interval; default: 0.6. */
  readonly minKappa?: number;
}

const MAX_BYTES = 64 * 1024 * 1024;
const MOST_ROWS = 1_000_000;

/** What a judge gets right by labels of people. Rejects with `INPUT` and every problem of the labels, or with `USAGE`. */
export async function calibrateJudge(options: CalibrateJudgeOptions): Promise<JudgeCalibration> {
  const { labels, probes = [], sampleOf, minLabels = 50, minKappa = 0.6, cwd = process.cwd() } = options;
  if (labels.length === 0) throw new PasskError('USAGE', 'Nobody says where the labels are.', { hint: 'Name a file.' });
  if (!(Number.isSafeInteger(minLabels) && minLabels >= 1)) {
    throw new PasskError('USAGE', `\`minLabels\` must be a whole number from 1, got ${minLabels}.`);
  }
  if (!(minKappa >= -1 && minKappa <= 1)) {
    throw new PasskError('USAGE', `\`minKappa\` must be a number from -1 to 1, got ${minKappa}.`);
  }
  if (sampleOf?.trim() === '') throw new PasskError('USAGE', '`sampleOf` must be the name of a scenario.');
  const pins = pinsOf(options);
  const rows: LabelRow[] = [];
  const files: CalibrationFile[] = [];
  const issues: Issue[] = [];
  for (const name of labels) {
    const source = sourceAt(name, cwd);
    const read = readLabels(source);
    if (!read.ok) issues.push(...read.issues);
    else for (const row of read.rows) rows.push(row);
    const pin = pinOf(source);
    const twin = files.find(({ sha256: of }) => of === pin.sha256);
    if (twin !== undefined) issues.push(sameLabels(pin.name, twin.name));
    files.push(pin);
  }
  issues.push(...labelConflicts(rows));
  const answers = answersOfClaims(rows, options);
  issues.push(...answers.issues);
  const probed: ProbeRow[] = [];
  for (const name of probes) {
    const read = readProbes(sourceAt(name, cwd));
    if (!read.ok) issues.push(...read.issues);
    else for (const row of read.rows) probed.push(row);
  }
  if (issues.length > 0) throw new PasskError('INPUT', 'The labels cannot be used.', { issues });
  if (rows.length + probed.length > MOST_ROWS) {
    throw new PasskError('INPUT', `There are ${rows.length + probed.length} rows; the limit is ${MOST_ROWS}.`);
  }
  const asked = options.ask === undefined ? null : await askAbout(answers.rows, options.ask, options);
  return calibrateLabels(asked?.rows ?? answers.rows, {
    files,
    pins,
    bars: { minLabels, minKappa },
    probes: measureProbes([...probed, ...(asked?.probes ?? [])]),
    ...(asked !== null && { asked: asked.asked }),
    ...(sampleOf !== undefined && { sampleOf }),
  });
}

async function askAbout(
  rows: readonly LabelRow[],
  ask: NonNullable<CalibrateJudgeOptions['ask']>,
  { judge, judges = [], models, cwd }: JudgeIdentity,
): Promise<AskedLabels> {
  const setting = judgeNamed(judge, judges);
  // Only who asks loads what it asks with.
  const { askLabels } = await import('./ask-labels.ts');
  return askLabels(rows, setting, {
    ...ask,
    ...(models !== undefined && { models }),
    ...(cwd !== undefined && { cwd }),
  });
}

/** Rows of single claims as rows of the answers that make them, where the judge verifies claims; else as they are, if it rules on them. */
function answersOfClaims(
  rows: readonly LabelRow[],
  { judge, judges = [] }: JudgeIdentity,
): { readonly rows: readonly LabelRow[]; readonly issues: readonly Issue[] } {
  const setting = judges.find(({ name }) => name === judge);
  if (setting === undefined) return { rows, issues: [] };
  if (setting.verifies === true) return labelsOfClaims(rows, setting.minScore ?? 1);
  const criteria = (setting.criteria ?? []).map(({ id }) => id);
  return { rows, issues: otherCriteria(rows, setting.compares === true ? [...criteria, PREFERRED] : criteria) };
}

/** Parts of a calibration that are not those of this judge any more; []: it is not stale. Throws `INPUT`. */
export function staleParts(calibration: JudgeCalibration, identity: JudgeIdentity): readonly (keyof CalibrationPins)[] {
  const now = pinsOf(identity);
  return (['judge', 'prompt', 'rubric'] as const).filter(
    (part) => calibration.pins[part]?.sha256 !== now[part]?.sha256,
  );
}

/** Reads a calibration that `passk judge calibrate` has written. Throws `INPUT`. */
export function readCalibration(
  file: string,
  { cwd = process.cwd() }: { readonly cwd?: string } = {},
): JudgeCalibration {
  const { text, name } = sourceAt(file, cwd);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new PasskError('INPUT', `"${name}" is no JSON.`, { hint: WRITES, cause });
  }
  if (isCalibration(value)) return value;
  throw new PasskError('INPUT', `"${name}" is no calibration of a judge.`, { hint: WRITES });
}

const WRITES = 'passk judge calibrate --out FILE writes one.';

/** What is looked at of it later: schema, verdict, pins, and the counts that rates are corrected by. */
function isCalibration(value: unknown): value is JudgeCalibration {
  if (!isTable(value) || value['schema'] !== JUDGE_CALIBRATION_SCHEMA) return false;
  const { verdict, pins, labels, reasons, kappa, probes, sample, reliability } = value;
  if (verdict !== 'calibrated' && verdict !== 'advisory' && verdict !== 'insufficient') return false;
  const isPin = (pin: unknown): boolean => isTable(pin) && typeof pin['sha256'] === 'string';
  const isShort = (list: unknown): boolean =>
    Array.isArray(list) && list.every((one) => isTable(one) && typeof one['message'] === 'string');
  return (
    isShare(value['sensitivity']) &&
    isShare(value['specificity']) &&
    isTable(labels) &&
    isCount(labels['criteria']) &&
    isShort(reasons) &&
    isShort(probes) &&
    (sample === null || isSample(sample)) &&
    (reliability === undefined || (Array.isArray(reliability) && reliability.every(isBin))) &&
    (kappa === null || (isTable(kappa) && isNumber(Object(kappa['interval'])[0]))) &&
    isTable(pins) &&
    isPin(pins['judge']) &&
    ['prompt', 'rubric'].every((part) => pins[part] === null || isPin(pins[part]))
  );
}

function isSample(value: unknown): boolean {
  const counts = ['bothPassed', 'onlyHumanPassed', 'onlyJudgePassed', 'bothFailed'];
  return isTable(value) && typeof value['scenario'] === 'string' && counts.every((count) => isCount(value[count]));
}

function isBin(value: unknown): boolean {
  if (!isTable(value)) return false;
  const { from, to, items, confidence, share, interval } = value;
  return isCount(items) && [from, to, confidence, share, Object(interval)[0], Object(interval)[1]].every(isNumber);
}

function isShare(value: unknown): boolean {
  if (!isTable(value)) return false;
  const { items, agreed } = value;
  return isCount(items) && isCount(agreed) && Number(agreed) <= Number(items);
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value);
}

function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function pinsOf({
  judge,
  prompt,
  rubric,
  judges = [],
  models = {},
  cwd = process.cwd(),
}: JudgeIdentity): CalibrationPins {
  if (judge.trim() === '')
    throw new PasskError('USAGE', 'Nobody says which judge it is.', { hint: 'Give --judge NAME.' });
  const configured = judges.find(({ name }) => name === judge);
  if (configured !== undefined) {
    if (prompt === undefined && rubric === undefined)
      return pinsOfJudge(plannedJudge(configured, { ...resolveModels(models), cwd }));
    throw new PasskError('USAGE', `The rubric of judge "${judge}" stands in the configuration.`, {
      hint: 'Leave --prompt and --rubric away.',
    });
  }
  const file = (name: string | undefined): CalibrationPin | null =>
    name === undefined ? null : pinOf(sourceAt(name, cwd));
  return { judge: { name: judge, sha256: sha256(judge) }, prompt: file(prompt), rubric: file(rubric) };
}

function pinOf({ name, text }: SourceFile): CalibrationPin {
  return { name, sha256: sha256(text) };
}

/** Labels without ids would count twice, and nobody could tell. */
function sameLabels(name: string, before: string): Issue {
  return {
    code: 'double_label',
    severity: 'error',
    message: `"${name}" holds the same labels as "${before}".`,
    at: { file: name, line: 1, column: 1 },
    hint: 'Name it once.',
  };
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function sourceAt(name: string, cwd: string): SourceFile {
  const read = readSource(path.resolve(cwd, name), { root: cwd, maxBytes: MAX_BYTES });
  if (read.ok) return read.source;
  throw new PasskError('INPUT', `"${name}" cannot be read.`, { issues: read.issues });
}
