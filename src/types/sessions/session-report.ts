import type { MutatedTrials } from '../mutations/mutation.ts';
import type { Count, Proportion } from '../numbers.ts';
import type { CrossedReport } from './attack.ts';
import type { SimulatedUsers } from './session-user.ts';

/** What only sessions have in the report of a scenario. */
export interface SessionReport {
  /** Absent: the task has no sub-goals. */
  readonly progress?: ProgressReport;
  /** Calls of tools in all trials that were judged; of these, calls that fit a tool: their share is the grounding accuracy. */
  readonly calls: Count;
  /** Calls that a tool took. */
  readonly validCalls: Count;
  /** Trials that passed although an answer of the agent was empty; absent: none. */
  readonly passedEmpty?: Count;
  /** Trials that passed although an answer of the agent says that it was cut at a cap of tokens; absent: none. */
  readonly passedCut?: Count;
  /** Trials that passed with an answer that says that it is a refusal, or was cut by a filter; absent: none. */
  readonly passedFiltered?: Count;
  /** Trials whose agent told no tokens, beside others that told them: they count as 0; absent: none, or none told any. */
  readonly silentTrials?: Count;
  /** The users that a model played; absent: they followed a script. */
  readonly user?: SimulatedUsers;
  /** What became of trials with mutated messages; absent: none is declared. */
  readonly mutated?: MutatedTrials;
  /** Where it stands in user tasks × attacks; absent: its file has no attacks. */
  readonly crossed?: CrossedReport;
}

/** How many of their sub-goals trials reached. */
export interface ProgressReport {
  /** Over trials that were judged: the share of the sub-goals that held at one time. */
  readonly mean: Proportion;
  /** 95 %, for more trials of the task; null: the run could stop early. */
  readonly interval: readonly [Proportion, Proportion] | null;
  /** Trials with sub-goals. */
  readonly trials: Count;
  /** In how many trials each sub-goal was reached, in the order of the file. */
  readonly goals: readonly {
    /** The sub-goal's name. */
    readonly goal: string;
    /** Trials that reached it. */
    readonly reached: Count;
  }[];
}
