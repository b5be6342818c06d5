import { MOST_TRIALS } from '../../importers/passk/counted-run.ts';
import { passkJournal, passkShard } from '../../importers/passk/run-file.ts';
import { ImportError, type ImporterType, type ImportIndex, type ImportProblem } from '../../plugin/importer-type.ts';
import { IntervalSet } from '../../pool/blocks/interval-set.ts';
import { mergeRecords } from '../../pool/results/merge-records.ts';
import { countsIn } from '../../pool/tally/tally-codec.ts';
import { planDigest } from '../../records/plan-digest.ts';
import { type JournalEnd, readJournal } from '../../records/read-journal.ts';
import { readShard } from '../../records/read-shard.ts';
import type { RecordKind } from '../../records/record-kind.ts';
import { TaskCounts } from '../../trial/tally/task-counts.ts';
import type { PlanIdentity } from '../../types/plan-identity.ts';
import type { ShardId } from '../../types/shard.ts';
import { TRIAL_OUTCOMES } from '../../values/passk-attributes.ts';

/** An importer that may index asynchronously, because it reads the file itself. */
export interface FindingImporter extends Omit<ImporterType, 'index'> {
  /** True: a file without runs is sound, as a part of a short run is. */
  readonly mayBeEmpty?: true;
  index(...args: Parameters<ImporterType['index']>): Iterable<void> | Promise<void>;
}

/** A part of a run that was read. */
export interface ReadPart {
  readonly file: string;
  readonly noun: RecordKind;
  readonly index: number;
  readonly count: number;
}

/** Shards and journals of passk as recordings: what they count. */
export class RunFiles {
  /** By digest of the plan. */
  private readonly parts = new Map<string, ReadPart[]>();

  /** Null: such a file counts no trials. `file`: its path. */
  importerOf(kind: RecordKind, file: string): FindingImporter | null {
    const taking =
      (take: (into: Taking) => Promise<void>): FindingImporter['index'] =>
      (_, index) =>
        take({ file, index });
    if (kind === 'shard') return { ...passkShard, mayBeEmpty: true, index: taking((into) => this.takeShard(into)) };
    if (kind === 'journal') return { ...passkJournal, index: taking((into) => this.takeJournal(into)) };
    return null;
  }

  /** Parts of runs of which other parts were not read. */
  lone(): readonly ReadPart[] {
    return [...this.parts.values()].flatMap((parts) => (parts.length < (parts[0]?.count ?? 1) ? parts : []));
  }

  private async takeShard({ file, index }: Taking): Promise<void> {
    const shard = await readShard(file);
    this.note({ file, noun: 'shard', identity: shard.identity, part: shard.shard });
    const plan = { scenarios: shard.scenarios, plugins: [], hostFunctions: [] };
    const { scenarios, short } = mergeRecords(plan, [shard], { bail: 0, isSettled: null });
    const taker = new Taker(index);
    if (short.length > 0) taker.problem('It stopped before all its trials had run.');
    for (const [at, { tally }] of scenarios.entries()) {
      const scenario = shard.scenarios[at]?.scenario;
      if (scenario === undefined) continue;
      const { name } = scenario;
      if (scenario.part !== undefined) taker.parts++;
      else if (tally.exact !== null)
        taker.problem(`"${name}" is left out: its answers were enumerated, so that there are no trials.`);
      else taker.add(name, tally);
    }
    taker.end();
  }

  private async takeJournal({ file, index }: Taking): Promise<void> {
    const { head, results } = await readJournal(file);
    const { identity, shard } = head;
    this.note({ file, noun: 'journal', identity, part: shard ?? { index: 1, count: 1 } });
    const counts = identity.scenarios.map(() => ({
      passed: 0,
      failed: 0,
      broken: 0,
      tasks: null as TaskCounts | null,
    }));
    const seen = identity.scenarios.map(() => new IntervalSet());
    const exact = new Set<number>();
    const deltas = results();
    let next = await deltas.next();
    for (; next.done !== true; next = await deltas.next()) {
      const { scenario, fromBlock, toBlock, tally } = next.value;
      const count = counts[scenario];
      if (count === undefined) throw new ImportError('It holds results of a scenario that it does not name.');
      // A result that is there twice counts once, as it does for whoever resumes the run.
      if (toBlock <= fromBlock || seen[scenario]?.add(fromBlock, toBlock) !== 'added') continue;
      const delta = countsIn(tally);
      if (delta.isExact) exact.add(scenario);
      for (const outcome of TRIAL_OUTCOMES) count[outcome] += delta[outcome];
      if (delta.tasks === null) continue;
      count.tasks ??= new TaskCounts();
      count.tasks.merge(delta.tasks);
    }
    const taker = new Taker(index);
    for (const [at, { name }] of identity.scenarios.entries()) {
      const count = counts[at];
      if (exact.has(at))
        taker.problem(`"${name}" is left out: its answers were enumerated, so that there are no trials.`);
      else if (count !== undefined) taker.add(name, count);
    }
    const planned = shard === null ? identity.scenarios.reduce((sum, { trials }) => sum + trials, 0) : null;
    for (const problem of endProblems(next.value, { counted: taker.trials, planned })) index.problem(problem);
    taker.end();
  }

  /** Throws for a part that was read already, and for a run of which a file does not know what counts. */
  private note({ file, noun, identity, part }: Noted): void {
    if (identity.bail > 0 || identity.stopEarly !== undefined) {
      throw new ImportError('Its run may have stopped early, so that only its report knows which trials count.');
    }
    const digest = planDigest(identity);
    const parts = this.parts.get(digest) ?? [];
    const same = parts.find(({ index }) => index === part.index);
    if (same !== undefined) throw new ImportError(`It is of the same part of the same run as ${same.file}.`);
    this.parts.set(digest, [...parts, { file, noun, ...part }]);
  }
}

interface Taking {
  readonly file: string;
  readonly index: ImportIndex;
}

interface Noted {
  readonly file: string;
  readonly noun: RecordKind;
  readonly identity: PlanIdentity;
  readonly part: ShardId;
}

interface Counted {
  readonly passed: number;
  readonly failed: number;
  readonly broken: number;
  readonly tasks: TaskCounts | null;
}

/** Takes counted trials, up to a number. */
class Taker {
  trials = 0;
  /** Cells of contracts and matrices. */
  parts = 0;
  private readonly index: ImportIndex;
  private readonly names: string[] = [];

  constructor(index: ImportIndex) {
    this.index = index;
  }

  problem(message: string): void {
    this.index.problem({ message, file: 0 });
  }

  /** The trials of a scenario are attempts at it; recorded ones are attempts at their tasks, in a set of its name. */
  add(name: string, counts: Counted): void {
    if (counts.tasks === null) {
      this.addTask('', name, counts);
      return;
    }
    const tasks = [...counts.tasks.entries()].sort(([, a], [, b]) => a.lowestTrial - b.lowestTrial);
    for (const [task, count] of tasks) this.addTask(name, task, count);
    const inTasks = tasks.reduce((sum, [, { broken }]) => sum + broken, 0);
    const unread = counts.broken - inTasks;
    if (unread > 0)
      this.problem(`${unread} trials of "${name}" are left out: nobody could read which task they tried.`);
  }

  end(): void {
    this.index.share({ names: this.names });
    if (this.parts > 0)
      this.problem(`${this.parts} cells of contracts or model matrices are left out: they are no trials of tasks.`);
  }

  private addTask(set: string, task: string, counts: Pick<Counted, 'passed' | 'failed' | 'broken'>): void {
    const position = this.names.push(task) - 1;
    for (const outcome of TRIAL_OUTCOMES) {
      const count = counts[outcome];
      this.trials += count;
      if (this.trials > MOST_TRIALS) throw new ImportError(`It counts more than ${MOST_TRIALS} trials.`);
      if (count > 0) this.index.set(set).addCounted({ count, outcome, position, pieces: WHOLE_FILE });
    }
  }
}

/** What is counted stands in no part of the file by itself. */
const WHOLE_FILE = [{ file: 0, from: 0, to: 0 }];

/** `planned`: trials of the whole run; null: only a part of it was to be run. */
function endProblems(
  { isFinished, frames }: JournalEnd,
  { counted, planned }: { readonly counted: number; readonly planned: number | null },
): readonly ImportProblem[] {
  const what = frames.kind === 'torn' ? 'It ends in the middle of a record' : 'It is damaged here';
  const damage =
    frames.kind === 'complete' ? [] : [{ message: `${what}; what stands before is counted.`, file: 0, at: frames.at }];
  const of = planned === null ? '' : ` of ${planned}`;
  const open = { message: `Its run has not finished: ${counted}${of} trials are counted.`, file: 0 };
  return isFinished ? damage : [...damage, open];
}
