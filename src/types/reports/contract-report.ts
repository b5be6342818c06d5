import type { Contract } from '../contract.ts';
import type { Location } from '../issue.ts';
import type { InvariantRule, Severity, When } from '../invariant.ts';
import type { JudgeReport, JudgeStanding } from '../judges/judge-report.ts';
import type { RobustnessReport } from '../mutations/mutation.ts';
import type { Count, Proportion } from '../numbers.ts';
import type { SessionReplay } from '../replays/replayed-session.ts';
import type { FaultCount } from '../scenarios/failure-report.ts';
import type { ResultBase } from '../suite-base.ts';
import type { TraceContext } from '../trace.ts';

/** A contract as its results show it. */
export interface ContractReport extends ResultBase {
  readonly kind: 'contract';
  /** Which phase of the overall score it belongs to. */
  readonly phase: Contract['phase'];
  /** `insufficient`: nothing was judged, a critical cell is inconclusive, a judge may not decide, or passk could not judge a cell. */
  readonly verdict: ResultBase['verdict'];
  /**
   * 100 × weights of passed cells / weights of passed and failed cells; of mutations 100 × Σ weight × passed trials over
   * Σ weight × judged trials; of recorded sessions 100 × passed sessions / passed and failed ones. Null: nothing was judged.
   * @minimum 0
   * @maximum 100
   */
  readonly score: number | null;
  /** Of each column and list of prompts, as asked for. */
  readonly trials: Count;
  /** Ways in which the world breaks. */
  readonly columns: readonly ContractColumn[];
  /** The rows. */
  readonly invariants: readonly ContractRow[];
  /** Row by row: the invariants in order, each with the columns in order. */
  readonly cells: readonly ContractCell[];
  /** What mutated prompts did, by type; absent: it has none. */
  readonly robustness?: RobustnessReport;
  /** What became of recorded sessions, in the order of columns; absent: it has none. */
  readonly sessions?: readonly SessionReplay[];
  /** Columns whose answers may depend on what an earlier column left in the subject; []: none. */
  readonly contaminated: readonly string[];
  /** How similarity was measured; null: it was not. */
  readonly similarity: string | null;
  /** What judges made of all trials; absent: no invariant is decided by one. What was corrected stands in the cells. */
  readonly judges?: readonly JudgeReport[];
}

/** A column of the chaos matrix. */
export interface ContractColumn {
  /** The column's name. */
  readonly name: string;
  /** What is declared to go wrong; []: nothing. */
  readonly faults: readonly ContractFault[];
  /** Names of the calls of tools that were seen, as `tool` of a fault may name them; only where such faults are declared. */
  readonly calls: readonly string[];
  /** Trials that could not be judged. */
  readonly broken: Count;
}

/** A declared fault with what came of it. */
export interface ContractFault extends FaultCount {
  /** What it does, such as `503 Service Unavailable` or `20 words, 30 % of calls`; '': its name says all. */
  readonly detail: string;
  /** Where it can strike this subject; null: nowhere. */
  readonly where: string | null;
}

/** An invariant, as a row of the matrix. */
export interface ContractRow {
  /** The invariant's id. */
  readonly id: string;
  /** As in the file. */
  readonly type: InvariantRule['type'];
  /** How much it counts. */
  readonly severity: Severity;
  /** In which columns it must hold. */
  readonly when: When;
  /** True: it must not hold. */
  readonly negate: boolean;
  /** True: it compares facts and no meanings; absent: it does not guess. */
  readonly isHeuristic?: true;
  /** Where the file has it, without a frame; absent: nobody knows. */
  readonly at?: Location;
}

/** An invariant in one column of the chaos matrix. */
export interface ContractCell {
  /** The row: the invariant's id. */
  readonly invariant: string;
  /** The column's name. */
  readonly column: string;
  /**
   * `inconclusive`: nothing failed, but what is declared never struck, or nobody could tell whether the rule was obeyed.
   * `broken`: passk could not judge. Neither passes.
   */
  readonly state: 'passed' | 'failed' | 'not_applicable' | 'inconclusive' | 'broken';
  /** Trials in which the rule was judged, over all prompts: a rule about faults only where one of them struck. */
  readonly judged: Count;
  /** Of these. */
  readonly obeyed: Count;
  /** Of the judged trials, those that a fault struck; null: nothing is declared to go wrong. */
  readonly struck: Count | null;
  /** Of these, those whose struck answers all obeyed. They decide, as all judged trials do. */
  readonly obeyedStruck: Count | null;
  /**
   * 95 %, Wilson, of the struck trials where there are any, else of all judged ones; null for fewer than two. Of a cell with
   * a judge that of the corrected rate; null where nothing is corrected.
   */
  readonly interval: readonly [Proportion, Proportion] | null;
  /** One line; null: nothing to say. */
  readonly why: string | null;
  /** The lowest trial that disobeyed; null: none did. */
  readonly evidence: ContractEvidence | null;
  /** Who decided the trials where a model did; absent: a rule. */
  readonly judge?: CellJudge;
  /** A trial that obeyed, of a cell in which all did. Absent: none was kept, and none can be run again. */
  readonly example?: ContractExample;
}

/** The judge of a cell. */
export interface CellJudge {
  /** The name of the judge. */
  readonly name: string;
  /** Anything but `calibrated`: its verdicts decide nothing, and the cell is `inconclusive`. */
  readonly standing: JudgeStanding['verdict'];
  /** The rate that people would have found, of struck trials where there are any; null: the judge may not decide. */
  readonly rate: Proportion | null;
}

/** One prompt of a trial, and what came of it. */
export interface ContractExample {
  /** What was asked. */
  readonly prompt: string;
  /** Counts from 0. */
  readonly trial: Count;
  /** Null: there was none. */
  readonly answer: string | null;
  /** Faults that fired in this trial. */
  readonly fired: readonly string[];
  /** The command that repeats it; null: it cannot be repeated. */
  readonly replay: string | null;
  /** The trace that the agent was told to take part in; absent: it was not told. */
  readonly traceContext?: TraceContext;
}

/** An answer that breaks an invariant. */
export interface ContractEvidence extends ContractExample {
  /** What was wrong. */
  readonly message: string;
}

/** The scores of all phases that ran as one number. */
export interface OverallScore {
  /** In [0, 1]; null: no phase was scored. */
  readonly score: Proportion | null;
  /** Phases with their scores and weights. */
  readonly phases: readonly OverallPhase[];
  /** What the files ask for that this command does not run, one sentence each. */
  readonly notRun: readonly string[];
}

/** One phase that was scored. */
export interface OverallPhase {
  /** The phase's name. */
  readonly phase: Exclude<Contract['phase'], 'prompts'>;
  /** In [0, 1]: the mean over its contracts. */
  readonly score: Proportion;
  /** As the files say. */
  readonly weight: Proportion;
  /** Of the overall score: its weight over those of all phases that were scored. */
  readonly share: Proportion;
}
