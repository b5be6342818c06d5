import { recordedTrials, type TrialProgram } from '../../trial/program.ts';
import type { TrialRecord } from '../../types/record.ts';
import type { RunPlan, ScenarioPlan } from '../../types/plan.ts';
import { isJudgedHere } from '../../types/scenarios/judging-code.ts';
import type { HasProcessCode } from '../../types/scenarios/process-code.ts';
import { FailingScenarios } from '../blocks/bail.ts';
import { scenarioAt, trialsOf } from '../blocks/block-grid.ts';
import { causeOf } from '../cause-of.ts';
import { publishDone, resetWorker } from '../control.ts';
import type { CompileProgram } from '../executor.ts';
import { callHere, type CallHost } from '../host-functions.ts';
import type { HostedBlocks } from '../blocks/hosted-blocks.ts';
import { type BegunBlock, InFlight, type BlockEnd } from '../worker/in-flight.ts';
import { markBroken } from '../repair/mark-broken.ts';
import type { FromWorker, Work } from '../messages.ts';
import { Unusable } from '../worker/prepare-programs.ts';
import { ProgramsInUse } from '../worker/programs-in-use.ts';
import type { BlockId } from '../results/run-results.ts';
import { runShort } from '../run-short.ts';
import type { Slot, SlotEnd, SlotOptions } from './slot.ts';
import { encodeTally } from '../tally/tally-codec.ts';
import { runRetried } from '../worker/run-retried.ts';
import { WorkLoop } from '../worker/work-loop.ts';

const BEAT_MS = 50;

export interface HostSlotOptions
  extends HasProcessCode,
    Pick<SlotOptions, 'control' | 'worker' | 'concurrency' | 'hostFunctions' | 'bail' | 'separate' | 'plugins'> {
  readonly plan: RunPlan;
  readonly compile: CompileProgram;
  readonly blocks: HostedBlocks;
  onMessage(message: FromWorker): void;
  /** Has a worker judge a trial; resolves to its failed and broken trials once it has been counted. */
  judge(block: BlockId, record: TrialRecord): Promise<number>;
}

/**
 * The calling thread as a place for trials that only wait, and for those of the program's own functions. It is never ended: no
 * other code of the user runs here, and judging that would keep the thread is left to workers, but for these functions, which are
 * nowhere else. What waits is told to end when the run is stopped, as in a worker.
 */
export class HostSlot implements Slot {
  private readonly options: HostSlotOptions;

  constructor(options: HostSlotOptions) {
    this.options = options;
  }

  get worker(): number {
    return this.options.worker;
  }

  async run(work: Work): Promise<SlotEnd> {
    const { control, worker, blocks, bail } = this.options;
    resetWorker(control, worker);
    const inFlight = this.openInFlight();
    const programs = this.openPrograms(inFlight);
    const loop = new WorkLoop({
      control,
      worker,
      bail,
      inFlight,
      programs: {
        // Plans are here already.
        request: () => {},
        take: (scenario) => programs.take(scenario),
        release: (scenario) => programs.release(scenario),
      },
      claims: blocks.claims,
      grid: () => blocks.grid,
      flush: () => {},
      // Programs of this place are refused where they do not wait.
      runPure: () => Promise.resolve(),
    });
    const timer = setInterval(() => inFlight.tick(), BEAT_MS);
    try {
      if (work.kind === 'shared') await loop.runBeside(work.sequences);
      else if (work.kind === 'blocks') await loop.runSpans(work.spans, null);
      await inFlight.end();
      return { kind: 'done' };
    } catch (error) {
      inFlight.drop();
      if (error instanceof Unusable) return error.end;
      throw error;
    } finally {
      clearInterval(timer);
      await programs.close();
    }
  }

  watch(): void {}

  kill(): void {}

  private openInFlight(): InFlight {
    const { control, worker, concurrency, separate, bail, blocks, onMessage } = this.options;
    const failingScenarios = new FailingScenarios(bail);
    return new InFlight({
      control,
      worker,
      most: concurrency,
      separate,
      run: (begun, signal) => this.runBlock(begun, signal),
      changed: () => {},
      finished: ({ plan, position }, { tally, failing }) => {
        if (tally !== null) publishDone(control, worker, tally.executed, failing);
        if (bail === 0 || failing === 0 || position === null) return;
        const last = failingScenarios.note(plan.index, position);
        if (last !== null) blocks.lowerLimit(last.at + 1);
      },
      post: (scenario, from, to, tally) => onMessage({ kind: 'blocks', scenario, from, to, tally: encodeTally(tally) }),
      // Only code of the user can spoil a thread, and none runs here.
      onRetired: () => {},
    });
  }

  /** A block of this place is one trial. */
  private async runBlock({ plan, program, block }: BegunBlock, signal: AbortSignal): Promise<BlockEnd | null> {
    const { from: trial } = trialsOf(plan, block, block + 1);
    const records = recordedTrials(program);
    const { last, retries } = await runRetried(plan, {
      run: () => records.record(trial, signal),
      isBroken: ({ ending }) => ending.status === 'broken',
      signal,
    });
    const record = retries === 0 ? last : { ...last, retries };
    // Whatever was given up may have ended because of it.
    if (signal.aborted) return null;
    const tally = program.newTally();
    try {
      if (!judgedNow(plan, () => records.judge(record, tally))) {
        return { tally: null, failing: await this.options.judge({ scenario: plan.index, block }, record) };
      }
      return { tally, failing: tally.failed + tally.broken };
    } catch (error) {
      const broken = program.newTally();
      markBroken(broken, trial, `${causeOf(error)} while running this trial`);
      return { tally: broken, failing: 1 };
    }
  }

  private openPrograms(inFlight: InFlight): ProgramsInUse {
    const { hostFunctions, plan: whole } = this.options;
    const callHost = hostFunctions === null ? null : callHere(hostFunctions);
    return new ProgramsInUse({
      isInFlight: (scenario) => inFlight.has(scenario),
      make: async (scenario) => {
        const plan = scenarioAt(whole, scenario);
        return { plan, program: await this.compile(plan, callHost) };
      },
    });
  }

  private async compile(plan: ScenarioPlan, callHost: CallHost | null): Promise<TrialProgram> {
    const { compile, plugins, processCode, onMessage } = this.options;
    const { index: scenario, userCode } = plan;
    try {
      const program = await compile(plan, { plugins, callHost, processCode, judges: !userCode });
      recordedTrials(program);
      // Without its checks the shape is not known here: the worker that judges sends it.
      if (!userCode) onMessage({ kind: 'shape', scenario, shape: program.shape });
      return program;
    } catch (error) {
      throw new Unusable(scenario, error);
    }
  }
}

/** False: whoever judges could keep this thread, so that a worker is to do it. Functions of the program may: it is theirs. */
function judgedNow({ userCode, scenario }: ScenarioPlan, judge: () => void): boolean {
  if (isJudgedHere(scenario.expected)) {
    judge();
    return true;
  }
  return !userCode && runShort(() => ({ judged: judge() })) !== null;
}
