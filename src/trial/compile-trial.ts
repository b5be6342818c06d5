import { type CheckInfo, type CheckTools, compileChecks } from '../checks/compile-checks.ts';
import type { Check } from '../checks/check.ts';
import type { Effects } from '../effects/effect.ts';
import type { GrantedEffects } from '../effects/granted/create-effects.ts';
import { createWorld } from '../effects/create-world.ts';
import { PasskError } from '../errors.ts';
import { compileChaos } from '../faults/chaos/compile-chaos.ts';
import { interferes } from '../faults/chaos/fault-labels.ts';
import { bitOf } from '../engine/note-answer.ts';
import type { TrialRules } from '../engine/trial-state.ts';
import type { RealTime } from '../types/real-time.ts';
import type { Ports } from '../plugin/request.ts';
import type { Registry } from '../plugin/registry.ts';
import { createPolicy } from '../policy/create-policy.ts';
import type { WorkflowPlan } from '../types/plan.ts';
import type { WorkflowScenario } from '../types/scenario.ts';
import type { HasProcessCode } from '../types/scenarios/process-code.ts';
import { TRIGGER_KINDS, type TriggerKind } from '../types/trigger.ts';
import { compileGraphs } from './compile-graphs.ts';
import { DedupeRunner } from './dedupe-runner.ts';
import { describeProgram } from './describe-program.ts';
import { similarityOf } from './similarity-of.ts';
import { shapeOf, type TallyShape } from './tally/tally-shape.ts';
import { enumerateAnswers } from './enumerate-answers.ts';
import { type Inspection, inspectNow, inspectTrial } from './inspect-trial.ts';
import { WorkflowRunner } from './workflow-runner.ts';
import type { RunnerParts } from './runner-parts.ts';
import { LeafWalk } from './leaf-walk.ts';
import type { InspectedWorkflow, RunAsyncOptions, WorkflowProgram } from './program.ts';
import type { ProgramInfo } from './program-info.ts';
import { Tally } from './tally/tally.ts';
import { LowestTrials } from './lowest-trials.ts';
import type { HostCall } from './live-ports.ts';

/** What a program is compiled with: whatever is not plain data. */
export interface TrialTools extends CheckTools, HasProcessCode {
  readonly registry: Registry;
  /** Null where no function of the host can be called. */
  readonly callHost: HostCall | null;
  /** False: trials are only recorded, and judged elsewhere; absent: they are judged. No workflow can do without. */
  readonly judges?: boolean;
  /** What the user granted of the real world; null or absent: nothing. Closed with the program. */
  readonly effects?: Effects | null;
  /** The address of a module that the user grants; null or absent: none is granted. */
  readonly moduleUrl?: GrantedEffects['moduleUrl'] | null;
  /** Real time for programs whose trials wait for answers; called at the start of each trial. */
  readonly startClock: () => RealTime;
  /** Stands between the engine and all ports of a trial, one for each trial in flight; absent: nothing does. */
  readonly aroundPorts?: (ports: Ports) => Ports;
  /** How many moves and outputs the program keeps; absent: `MEMO_LIMIT`. Results do not depend on it. */
  readonly memoLimit?: number;
  /** False: every trial is walked; absent: true. Results do not depend on it. */
  readonly useTables?: boolean;
  /** Cells that tables have room for at first; absent: 64. Results do not depend on it. */
  readonly tableRoom?: number;
  /** Sequences of answers beyond which they are not enumerated; absent: `MAX_LEAVES`. */
  readonly maxLeaves?: number;
}

/** Bits of the capability of each kind of trigger. */
const TRIGGER_BITS = Object.fromEntries(TRIGGER_KINDS.map((kind) => [kind, 1 << bitOf(`trigger_${kind}`)])) as Readonly<
  Record<TriggerKind, number>
>;

/** Cells of a small scenario: its tables never grow. */
const TABLE_ROOM = 64;

/** The prebuilt engine of one scenario. */
export function compileTrial(plan: WorkflowPlan, tools: TrialTools): WorkflowProgram {
  return new CompiledProgram(plan, tools);
}

class CompiledProgram implements WorkflowProgram {
  readonly info: ProgramInfo;
  readonly shape: TallyShape;
  readonly sync: boolean;
  readonly records = null;
  private readonly parts: RunnerParts;
  private readonly tools: TrialTools;
  private readonly runner: WorkflowRunner;
  private readonly dedupe: DedupeRunner | null;
  private pool: RunnerPool | null = null;

  constructor(plan: WorkflowPlan, tools: TrialTools) {
    this.parts = compileParts(plan, tools);
    this.tools = tools;
    this.sync = plan.traits.sync;
    this.info = describeProgram(plan, this.parts.checks);
    this.shape = shapeOf(this.info);
    this.runner = new WorkflowRunner(this.parts);
    this.dedupe =
      plan.dedupe === true ? new DedupeRunner(new WorkflowRunner(this.parts), this.shape, plan.blockSize) : null;
  }

  newTally(): Tally {
    return new Tally(this.shape);
  }

  run(from: number, to: number, tally: Tally): number {
    if (this.runner.path === undefined) return (this.dedupe ?? this.runner).run(from, to, tally);
    this.enumerate(tally);
    return to;
  }

  async runAsync(from: number, to: number, tally: Tally, options: RunAsyncOptions): Promise<void> {
    if (this.runner.path !== undefined) this.enumerate(tally);
    else await runAtOnce(this.runners, { from, to, tally }, () => this.startClock(), options);
  }

  async close(): Promise<void> {
    await this.tools.effects?.close();
  }

  async inspect(trial: number): Promise<InspectedWorkflow> {
    const runner = this.runnerFor(trial);
    const inspected = await inspectTrial(this.inspection(runner, trial), this.startClock());
    if (runner.path === undefined) this.runners.giveBack(runner);
    return inspected;
  }

  inspectNow(trial: number): InspectedWorkflow {
    const runner = this.runnerFor(trial);
    const inspected = inspectNow(this.inspection(runner, trial));
    if (runner.path === undefined) this.runners.giveBack(runner);
    return inspected;
  }

  private runnerFor(trial: number): WorkflowRunner {
    const { runner, runners, parts, shape } = this;
    return runner.path === undefined ? runners.take() : runnerAt(new WorkflowRunner(parts), shape, trial);
  }

  private inspection(runner: WorkflowRunner, trial: number): Inspection {
    const { parts, shape } = this;
    return { runner, checks: parts.checks, shape, trial };
  }

  leaves(): LeafWalk {
    return new LeafWalk(new WorkflowRunner(this.parts), this.shape);
  }

  /** Runners of trials that may wait: programs that run at once need none. */
  private get runners(): RunnerPool {
    this.pool ??= new RunnerPool(this.parts);
    return this.pool;
  }

  private enumerate(tally: Tally): void {
    enumerateAnswers(this.leaves(), this.info, tally, this.tools.maxLeaves);
  }

  /** Programs that run at once live in virtual time, whichever driver runs them. */
  private startClock(): RealTime | null {
    return this.sync ? null : this.tools.startClock();
  }
}

function compileParts(plan: WorkflowPlan, tools: TrialTools): RunnerParts {
  const { scenario } = plan;
  const { workflow, policy, world, trigger, dryRun } = scenario.subject;
  const graphs = compileGraphs(plan, tools);
  const checks = compileChecks(scenario.expected, {
    nodeIds: workflow.nodes.map((node) => node.id),
    compileSchema: tools.compileSchema,
    checkSupport: tools.checkSupport,
    code: tools.code,
    ...invariantInfo(plan, tools),
  });
  const budget = workflow.budget;
  return {
    plan,
    graphs,
    rules: rulesOf(plan, checks),
    world: {
      plan,
      policy: createPolicy(policy, { mcpServers: workflow.mcpServers }),
      template: createWorld(world, {
        mcpServers: workflow.mcpServers.map((server) => server.name),
        ...(workflow.secrets !== undefined && { secrets: workflow.secrets }),
        ...(budget?.maxFsWriteMb !== undefined && { maxWrittenBytes: budget.maxFsWriteMb * 1024 * 1024 }),
      }),
      faults: tools.registry.faults,
    },
    checks,
    callHost: tools.callHost,
    startClock: tools.startClock,
    effects: tools.effects ?? null,
    aroundPorts: tools.aroundPorts,
    lowest: new LowestTrials(),
    chaos: interferes(scenario.faults.chaos) ? compileChaos(scenario.faults.chaos, plan.words) : null,
    // Rows say what each trial cost, and checks in code see its record, which only a walk tells.
    useTables:
      dryRun !== true && plan.rows !== true && scenario.expected.checks === undefined && (tools.useTables ?? true),
    tableRoom: tools.tableRoom ?? TABLE_ROOM,
    triggerBit: TRIGGER_BITS[trigger.kind],
  };
}

/** What rules of a contract ask of a program besides its nodes. */
function invariantInfo(
  plan: WorkflowPlan,
  tools: TrialTools,
): Pick<CheckInfo, 'canRespond' | 'similarity' | 'chaos' | 'asked' | 'asksOutside'> {
  const { expected, faults, subject } = plan.scenario;
  if (expected.invariants === undefined) return {};
  return {
    ...similarityOf(plan, tools.registry),
    chaos: faults.chaos,
    asksOutside: !plan.traits.sync,
    ...(subject.prompt !== undefined && { asked: subject.prompt }),
    // Node types of the user may shape replies too.
    canRespond: subject.workflow.nodes.some(
      ({ type }) =>
        tools.registry.nodes.get(type)?.nodeType.responds === true || tools.registry.nodes.get(type)?.user !== false,
    ),
  };
}

/** Where answers are enumerated, trials are leaves: the runner is taken to the one of that number. */
function runnerAt(runner: WorkflowRunner, shape: TallyShape, leaf: number): WorkflowRunner {
  if (runner.path === undefined) return runner;
  const walk = new LeafWalk(runner, shape);
  for (let at = 0; ; at++) {
    walk.run();
    if (at === leaf) return runner;
    if (walk.advance() >= 0) continue;
    throw new PasskError(
      'USAGE',
      `There is no leaf ${leaf}: "${runner.scenario.name}" has ${at + 1} sequences of answers.`,
      {
        hint: 'With the sampler "exhaustive", --trial is the number of a leaf, from 0.',
      },
    );
  }
}

/** Runners between two trials: as many as were ever in flight at once. */
class RunnerPool {
  private readonly parts: RunnerParts;
  private readonly idle: WorkflowRunner[] = [];

  constructor(parts: RunnerParts) {
    this.parts = parts;
  }

  take(): WorkflowRunner {
    return this.idle.pop() ?? new WorkflowRunner(this.parts);
  }

  giveBack(runner: WorkflowRunner): void {
    this.idle.push(runner);
  }
}

async function runAtOnce(
  pool: RunnerPool,
  range: { readonly from: number; readonly to: number; readonly tally: Tally },
  startClock: () => RealTime | null,
  options: RunAsyncOptions,
): Promise<void> {
  let next = range.from;
  const work = async (): Promise<void> => {
    const runner = pool.take();
    while (next < range.to && options.signal?.aborted !== true) {
      const trial = next++;
      await runner.runOne(trial, range.tally, startClock(), { stop: options.signal ?? null });
    }
    // A stopped trial may have left behind what still answers.
    if (options.signal?.aborted !== true) pool.giveBack(runner);
  };
  const runners = Math.max(1, Math.min(options.concurrency, range.to - range.from));
  await Promise.all(Array.from({ length: runners }, work));
}

function rulesOf(plan: WorkflowPlan, checks: readonly Check[]): TrialRules {
  const { scenario } = plan;
  let [keepPrompts, keepBranches, keepRequests] = [false, false, false];
  for (const check of checks) {
    keepPrompts ||= check.needsPrompts;
    keepBranches ||= check.needsBranches;
    keepRequests ||= check.needsRequests;
  }
  return {
    words: plan.words,
    timeoutUs: scenario.timeoutMs * 1000,
    maxTokens: scenario.subject.workflow.budget?.maxLlmTokens ?? Infinity,
    approvals: approvalsOf(scenario),
    keepPrompts,
    keepBranches,
    keepRequests,
    ...(scenario.subject.dryRun === true && { dryRun: true as const }),
  };
}

function approvalsOf({ subject: { world } }: WorkflowScenario): TrialRules['approvals'] {
  const declared = Object.entries(world.approvals);
  return new Map(
    declared.map(([node, { decision, afterMs }]) => [node, { resume: decision === 'resume', afterUs: afterMs * 1000 }]),
  );
}
