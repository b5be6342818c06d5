import { PasskError } from '../../errors.ts';
import type { RunPlan } from '../../types/plan.ts';
import type { TrialRecord } from '../../types/record.ts';
import { type BlockGrid, type BlockSpan, scenarioAt, trialsOf } from '../blocks/block-grid.ts';
import { LostWorkers } from './lost-workers.ts';
import { type Control, placeOf, type WorkerPlace } from '../control.ts';
import { type BlockInFlight, inFlightOf } from '../in-flight-table.ts';
import type { Work } from '../messages.ts';
import {
  type CarefulWork,
  repairBlocks,
  repairInFlight,
  repairSequences,
  repairTrials,
  shareOut,
  takenBy,
  withoutInFlight,
  withoutScenario,
} from './repair.ts';
import { givenUpText, type RepairBounds } from './repaired-block.ts';
import type { BlockId, RunResults } from '../results/run-results.ts';
import type { SlotEnd } from '../slots/slot.ts';

/** Workers that die before they answer: after so many in a row the pool is given up. */
const MAX_FAILED_STARTS = 3;

export type BadEnd = Exclude<SlotEnd, { kind: 'done' }>;
type WorkerDeath = Extract<BadEnd, { kind: 'died' }>;

export interface RunRepairsOptions {
  readonly plan: RunPlan;
  readonly grid: BlockGrid;
  readonly control: Control;
  readonly results: RunResults;
  readonly bounds: RepairBounds;
  /** Blocks that are wanted and have not arrived. */
  undelivered(): readonly BlockSpan[];
}

/** What is to be run again because a worker ended badly, until the trials that end workers are found. */
export class RunRepairs {
  private readonly options: RunRepairsOptions;
  private readonly lostWorkers: LostWorkers;
  private works: Work[] = [];
  private failedStarts = 0;

  constructor(options: RunRepairsOptions) {
    this.options = options;
    this.lostWorkers = new LostWorkers(options.bounds);
  }

  /** Workers that have ended badly. */
  get deaths(): number {
    return this.lostWorkers.total;
  }

  next(): Work | undefined {
    return this.works.shift();
  }

  /** A trial that has run elsewhere is to be judged. */
  addRecord({ scenario, block }: BlockId, record: TrialRecord): void {
    const { from, to } = trialsOf(scenarioAt(this.options.plan, scenario), block, block + 1);
    this.works.push({ kind: 'careful', scenario, block, from, to, record });
  }

  /** Only trials to be judged: these are still judged when a run is stopped. */
  nextRecord(): Work | undefined {
    const at = this.works.findIndex((work) => work.kind === 'careful' && work.record !== undefined);
    return at < 0 ? undefined : this.works.splice(at, 1)[0];
  }

  addBlocks(spans: readonly BlockSpan[], workers: number): void {
    this.works.push(...shareOut(this.options.plan, spans, workers));
  }

  notePrepared(scenario: number): void {
    this.lostWorkers.notePrepared(scenario);
  }

  /** Nothing more of this block is to be run. */
  dropBlock({ scenario, block }: BlockId): void {
    this.works = this.works.filter(
      (work) => work.kind !== 'careful' || work.scenario !== scenario || work.block !== block,
    );
  }

  /** A piece of work ended badly: finds what is missing and how to run it. Throws when the run cannot go on. */
  settle(worker: number, work: Work, end: BadEnd): void {
    this.lostWorkers.total++;
    if (end.kind === 'unusable') throw this.unusable(end.scenario, end.message, end.code, end.hint);
    if (end.kind === 'died' && !end.started) {
      if (++this.failedStarts >= MAX_FAILED_STARTS) {
        throw new PasskError('POOL', `Workers cannot be started: ${end.cause}.`, {
          hint: 'Check that passk is still there and that the machine has memory and open files (`ulimit -n`) left, or use fewer workers.',
        });
      }
      if (work.kind !== 'shared' || work.sequences.length > 0) this.works.unshift(work);
      return;
    }
    this.failedStarts = 0;
    const { control } = this.options;
    const place = placeOf(control, worker);
    const inFlight = inFlightOf(control, worker);
    if (end.kind === 'died') this.requirePrepared(place, inFlight.length > 0, end.cause);
    if (work.kind === 'careful') {
      if (end.kind === 'died') this.settleCareful(work, place, end);
    } else {
      const { plan, results, grid } = this.options;
      const claimed = takenBy(work, grid, place);
      if (inFlight.length > 0) this.settleInFlight(claimed, inFlight);
      else this.works.push(...repairBlocks(plan, results.missing(claimed), place));
      this.works.push(...repairSequences(work, inFlight, results));
    }
  }

  private requirePrepared({ phase, scenario }: WorkerPlace, isBusy: boolean, cause: string): void {
    const times = phase === 'preparing' ? this.lostWorkers.countPreparing(scenario, isBusy) : null;
    if (times !== null) throw this.unusable(scenario, `${cause} while preparing it, ${times} times`, 'PLUGIN');
    if (phase === 'idle' && this.lostWorkers.countIdle()) {
      throw new PasskError('POOL', `Workers die before they run anything: ${cause}.`, {
        hint: 'Look for timers and event handlers that plug-in modules set while they are loaded.',
      });
    }
  }

  /** Blocks of any scenarios were in flight: running each of them alone shows which one it was. */
  private settleInFlight(claimed: readonly BlockSpan[], inFlight: readonly BlockInFlight[]): void {
    const { plan, results } = this.options;
    const begun = inFlight.map(({ scenario, block }) => ({ scenario, fromBlock: block, toBlock: block + 1 }));
    const others = withoutInFlight(claimed, inFlight);
    this.works.push(...repairInFlight(plan, results.missing(begun), results.missing(others)));
  }

  private settleCareful(work: CarefulWork, { phase, offset }: WorkerPlace, end: WorkerDeath): void {
    const { plan, results } = this.options;
    const missing = results.missingTrials(work, work);
    if (phase !== 'running' && phase !== 'ending') {
      this.works.unshift(...missing.map((range) => ({ ...work, ...range })));
      return;
    }
    const trial = trialsOf(scenarioAt(plan, work.scenario), work.block, work.block + 1).from + offset;
    // Else it may have died of something that other trials left behind.
    const isOwn = end.how === 'hung' ? phase === 'running' : end.how !== 'fell';
    const certain = isOwn || (trial === work.from && end.isFresh);
    const { culprit, left } = repairTrials(work, missing, { trial, certain });
    this.works.unshift(...left);
    if (culprit !== null) this.blame(work, culprit, end);
  }

  private blame(work: CarefulWork, trial: number, { how, cause: phrase }: WorkerDeath): void {
    const hung = how === 'hung';
    const cause = hung ? phrase : `${phrase} while running this trial`;
    this.options.results.blame(work, trial, { cause, hung });
    // The trials of a block are given up in their order. Where each trial is a block, nothing is known of those after it.
    const { traits } = scenarioAt(this.options.plan, work.scenario);
    if (!traits.repeatable && this.lostWorkers.countCulprit(work.scenario, how)) this.abandon(work.scenario, hung);
  }

  /** Gives up a scenario that only costs workers: its trials without a result are broken. */
  private abandon(scenario: number, hung: boolean): void {
    const { results, bounds, undelivered } = this.options;
    if (results.isAbandoned(scenario)) return;
    this.works = withoutScenario(this.works, scenario);
    const spans = undelivered().filter((span) => span.scenario === scenario);
    results.abandon(scenario, spans, givenUpText(hung ? { hangs: bounds.hangs } : { deaths: bounds.deaths }));
  }

  private unusable(scenario: number, message: string, code: PasskError['code'], hint?: string): PasskError {
    const { name } = scenarioAt(this.options.plan, scenario).scenario;
    const text = `Scenario "${name}" cannot be prepared in a worker: ${message}`;
    return new PasskError(code, text.endsWith('.') ? text : `${text}.`, hint === undefined ? {} : { hint });
  }
}
