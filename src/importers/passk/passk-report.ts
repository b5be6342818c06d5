import {
  type CountedTrials,
  ImportError,
  type ImportIndex,
  type ImporterType,
  type ImportSource,
  type RunPiece,
} from '../../plugin/importer-type.ts';
import { REPORT_SCHEMA } from '../../types/reports/report.ts';
import { countAt, fieldAt, listAt, textAt } from '../../values/json-fields.ts';
import { TRIAL_OUTCOMES, type TrialOutcome } from '../../values/passk-attributes.ts';
import { headJson } from '../head-json.ts';
import { jsonPlaces } from '../json-places.ts';
import { MOST_RUN, readObject, utf8Text } from '../read-record.ts';
import { countedRun, MOST_TRIALS } from './counted-run.ts';
import { readKeptTrial } from './kept-trial.ts';

/** What reports of passk count: each scenario is a task, each trial an attempt; of the lowest failing ones the record is there. */
export const passkReport: ImporterType = {
  kind: 'importer',
  type: 'passk-report',
  summary: 'JSON reports of passk: as many trials of each scenario as it counts, with the records that it keeps.',
  detects(source) {
    return (
      source.files.length === 1 && (textAt(headJson(source.head(0)).values, 'schema') ?? '').startsWith('passk-report/')
    );
  },
  *index(source, index) {
    const schema = textAt(headJson(source.head(0)).values, 'schema');
    if (schema !== REPORT_SCHEMA)
      throw new ImportError(`It is a report of ${schema ?? 'no schema'}; this passk reads ${REPORT_SCHEMA}.`);
    const scenarios: RunPiece[] = [];
    let results = 0;
    const { text, cut } = yield* jsonPlaces({
      read: (from, to) => source.read(0, from, to),
      bytes: source.files[0]?.bytes ?? 0,
      paths: [
        ['scenarios', '*'],
        ['results', '*'],
      ],
      found({ path, from, to }) {
        if (path === 0) scenarios.push({ file: 0, from, to });
        else results++;
      },
    });
    if (cut !== null) throw new ImportError('The report ends in the middle of a value.', cut.at);
    const takers = new Takers(index);
    for (const place of scenarios) {
      try {
        yield* scenarioRuns(source, place, takers);
      } catch (error) {
        if (!(error instanceof ImportError) || takers.isFull || takers.isEdited) throw error;
        takers.problem(`A scenario cannot be read. ${error.message}`, place);
      }
    }
    if (fieldAt(parseReportJson(text), 'partial') === true) {
      index.problem({ message: 'The run was stopped before its end.', file: 0 });
    }
    if (results > 0) {
      const what = results === 1 ? '1 contract or model matrix is' : `${results} contracts or model matrices are`;
      index.problem({ message: `${what} left out: they have cells, not trials of tasks.`, file: 0 });
    }
  },
  read(pieces, { counted }) {
    const task = parseReportJson(utf8Text(pieces.at(-1) ?? NOTHING));
    if (typeof task !== 'string' || task === '') throw new ImportError('It has no name.');
    if (counted === null) return readKeptTrial(task, readObject(pieces[0]));
    return countedRun(task, {
      outcome: counted.outcome,
      error: 'The report counts it as broken, and keeps no record of it.',
      unsaid: { ...SUMS, messages: 'the report keeps no record of this trial' },
    });
  },
};

function parseReportJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    throw new ImportError('It is not JSON.');
  }
}

const NOTHING = new Uint8Array(0);
const SUMS = {
  usage: 'a report has the tokens of all trials together',
  cost: 'a report has the costs of all trials together',
};

/** Takes runs, up to a number. */
class Takers {
  private readonly index: ImportIndex;
  private trials = 0;
  private hasContradiction = false;

  constructor(index: ImportIndex) {
    this.index = index;
  }

  get isFull(): boolean {
    return this.trials > MOST_TRIALS;
  }

  /** True: its numbers contradict each other, so that none of them counts. */
  get isEdited(): boolean {
    return this.hasContradiction;
  }

  contradict(message: string, at?: number): never {
    this.hasContradiction = true;
    throw new ImportError(`${message}: somebody edited it.`, at);
  }

  /** What is kept of a trial, before the name of its task. */
  addKept(set: string, task: RunPiece, trial: RunPiece): void {
    this.note(1);
    this.index.set(set).add(trial, task);
  }

  addCounted(set: string, task: RunPiece, { count, outcome }: Pick<CountedTrials, 'count' | 'outcome'>): void {
    if (count === 0) return;
    this.note(count);
    this.index.set(set).addCounted({ count, outcome, position: 0, pieces: [task] });
  }

  /** A scenario without a set of its own, of which all trials are the same one. */
  addConstant(name: string): void {
    this.index.set('').constant(name);
  }

  /** A scenario with all answers in its file gives the same trials for the same seed. */
  addSeed(scenario: unknown): void {
    const [name = '', file, sampler] = ['name', 'file', 'sampler'].map((key) => textAt(scenario, key) ?? '');
    const seed = countAt(scenario, 'seed');
    if (fieldAt(scenario, 'pure') !== true || seed === null) return;
    this.index.follows(name, `${file}\n${sampler}\n${seed}`);
  }

  problem(message: string, { file, from: at }: RunPiece): void {
    this.index.problem({ message, file, at });
  }

  private note(count: number): void {
    this.trials += count;
    if (this.trials > MOST_TRIALS) throw new ImportError(`It counts more than ${MOST_TRIALS} trials.`);
  }
}

/** What one scenario gives. */
function* scenarioRuns(source: ImportSource, place: RunPiece, takers: Takers): Generator<void, void> {
  if (place.to - place.from > MOST_RUN) throw new ImportError('A scenario is longer than 256 MiB.', place.from);
  const scenario = readObject(source.read(0, place.from, place.to));
  const name = textAt(scenario, 'name') ?? '';
  const why = whyNot(scenario);
  if (why !== null) {
    takers.problem(`"${name}" is left out: ${why}.`, place);
    return;
  }
  if (isStoppedEarly(scenario)) takers.problem(`The trials of "${name}" ended early, for what they had given.`, place);
  const found: { path: number; piece: RunPiece }[] = [];
  yield* jsonPlaces({
    read: (from, to) => source.read(0, place.from + from, place.from + to),
    bytes: place.to - place.from,
    paths: [['name'], ['failures', '*'], ['recording', 'perTask', '*', 'task']],
    found: ({ path, from, to }) =>
      found.push({ path, piece: { file: 0, from: place.from + from, to: place.from + to } }),
  });
  const piecesOf = (path: number): readonly RunPiece[] =>
    found.filter((one) => one.path === path).map(({ piece }) => piece);
  const recordsByTask = new Map<string, Kept[]>();
  for (const [at, failure] of listAt(scenario, 'failures').entries()) {
    const piece = piecesOf(1)[at];
    const task = textAt(failure, 'record', 'recording', 'task') ?? '';
    const outcome = textAt(failure, 'verdict') === 'broken' ? 'broken' : 'failed';
    if (piece !== undefined) recordsByTask.set(task, [...(recordsByTask.get(task) ?? []), { outcome, piece }]);
  }
  const recording = fieldAt(scenario, 'recording');
  if (recording === undefined) {
    takers.addSeed(scenario);
    if (fieldAt(scenario, 'constant') === true) takers.addConstant(name);
    const [task] = piecesOf(0);
    if (task !== undefined)
      addRuns(
        {
          set: '',
          task,
          counts: countsAt(fieldAt(scenario, 'trials'), name, takers),
          records: recordsByTask.get('') ?? [],
        },
        takers,
      );
    return;
  }
  const places = piecesOf(2);
  for (const [at, row] of listAt(recording, 'perTask').entries()) {
    const task = places[at];
    if (task === undefined) continue;
    const [trials, passed, broken] = ['trials', 'passed', 'errors'].map((key) => countAt(row, key) ?? 0) as [
      number,
      number,
      number,
    ];
    const counts = { passed, broken, failed: Math.max(0, trials - passed - broken) };
    addRuns({ set: name, task, counts, records: recordsByTask.get(textAt(row, 'task') ?? '') ?? [] }, takers);
    if (at % 256 === 0) yield;
  }
  const omitted = countAt(recording, 'omitted') ?? 0;
  if (omitted > 0) takers.problem(`${omitted} tasks of "${name}" are left out: the report does not list them.`, place);
}

/** Why a scenario has no trials to count; null: it has. */
function whyNot(scenario: unknown): string | null {
  const verdict = textAt(scenario, 'verdict');
  if (verdict === 'load_error') return 'its file did not load';
  if (verdict === 'not_run') return 'the run ended before it';
  return textAt(scenario, 'sampler') === 'exhaustive'
    ? 'its answers were enumerated, so that there are no trials'
    : null;
}

/** Trials that end for what they gave say whether a bar is reached, and no rate. */
function isStoppedEarly(scenario: unknown): boolean {
  if (fieldAt(scenario, 'stopEarly') == null) return false;
  const [requested, ...run] = ['requested', 'executed', 'deduplicated'].map((key) => {
    return countAt(fieldAt(scenario, 'trials'), key) ?? 0;
  });
  return run.reduce((sum, count) => sum + count, 0) < (requested ?? 0);
}

interface Kept {
  readonly outcome: TrialOutcome;
  readonly piece: RunPiece;
}

interface TaskRuns {
  readonly set: string;
  /** Where its name stands. */
  readonly task: RunPiece;
  readonly counts: Readonly<Record<TrialOutcome, number>>;
  readonly records: readonly Kept[];
}

/** As many runs as the report counts, those with a record among them. */
function addRuns({ set, task, counts, records }: TaskRuns, takers: Takers): void {
  for (const outcome of TRIAL_OUTCOMES) {
    const own = records.filter((one) => one.outcome === outcome);
    if (own.length > counts[outcome]) {
      takers.contradict(
        `It holds ${own.length} trials that ${outcome === 'broken' ? 'broke' : outcome}, and counts ${counts[outcome]}`,
        task.from,
      );
    }
    for (const { piece } of own) takers.addKept(set, task, piece);
    takers.addCounted(set, task, { count: counts[outcome] - own.length, outcome });
  }
}

function countsAt(trials: unknown, name: string, takers: Takers): TaskRuns['counts'] {
  const [passed, failed, broken] = TRIAL_OUTCOMES.map((outcome) => countAt(trials, outcome));
  if (passed == null || failed == null || broken == null) throw new ImportError(`"${name}" has no counts of trials.`);
  const executed = countAt(trials, 'executed');
  const all = (executed ?? 0) + (countAt(trials, 'deduplicated') ?? 0);
  if (executed !== null && passed + failed + broken !== all) {
    takers.contradict(`"${name}" counts ${passed + failed + broken} outcomes of ${all} trials`);
  }
  return { passed, failed, broken };
}
