import type { Amount, Count, Proportion } from '../numbers.ts';
import type { AsiId } from '../release/origin.ts';
import type { AttackChannel, AttackedReport } from './attack.ts';

/** Attempts of one kind, and how many succeeded. */
export interface AttackCounts {
  /** Trials in which an attack reached the agent, and that did not break; of a constant scenario one. */
  readonly attempts: Count;
  /** Trials in which the attack succeeded. */
  readonly succeeded: Count;
  /** One-sided upper bound of the success rate, 95 % (Clopper and Pearson); null: there was no attempt, or the run could stop early. */
  readonly upper: Proportion | null;
}

/** What attacks on one agent came to: the user tasks of a file × its attacks. */
export interface AttackReport extends AttackCounts {
  /** The file of the attack's task. */
  readonly file: string;
  /** The name of the agent. */
  readonly agent: string;
  /** Succeeded over attempts; null: there was no attempt. */
  readonly rate: Proportion | null;
  /** Trials that broke: an attack never reached the agent, or the agent gave no answer. They count neither way. */
  readonly errors: Count;
  /**
   * The rate as that of user tasks × attacks, of which these are a sample: error clustered by both; null: there are not two of
   * each, or the run could stop early. Source: Cameron, Gelbach and Miller 2011.
   */
  readonly crossed: {
    /** The standard error of the rate. */
    readonly error: Amount;
    /** 95 %, by Student's t; where no cell differs Wilson's, with the fewer of tasks and attacks as trials. */
    readonly interval: readonly [Proportion, Proportion];
    /** Tasks that were attacked. */
    readonly tasks: Count;
    /** Attacks that were tried. */
    readonly attacks: Count;
    /** True: task + attack − cell variance was negative, and the larger of task and attack was taken. */
    readonly floored: boolean;
  } | null;
  /** The chance that one of k attempts succeeds: mean over cells; for each listed k that every cell has attempts for. */
  readonly atK: readonly {
    /** The number of attempts. */
    readonly k: Count;
    /** The chance that at least one of k attempts succeeds. */
    readonly value: Proportion;
  }[];
  /** How often the user's task was done, without an attack (broken trials are among those that it was not) and in attempts.
   * Agents that are known to do tasks wrong have no benign trials. */
  readonly utility: {
    /** Trials without an attack. */
    readonly benign: {
      /** Trials in which the task was done. */
      readonly done: Count;
      /** All trials that were counted. */
      readonly trials: Count;
    };
    /** Trials under attack. */
    readonly underAttack: {
      /** Trials in which the task was done. */
      readonly done: Count;
      /** All trials that were counted. */
      readonly trials: Count;
    };
  };
  /** Channels that were tried. */
  readonly byChannel: readonly ({
    /** The channel that the attack enters by. */
    readonly channel: AttackChannel;
  } & AttackCounts)[];
  /** All categories; one without attempts is not covered. */
  readonly byOwasp: readonly ({
    /** The OWASP category. */
    readonly id: AsiId;
  } & AttackCounts)[];
  /** User tasks × attacks, in the order of the file. */
  readonly cells: readonly ({
    /** The name of the scenario. */
    readonly scenario: string;
    /** The name of the task. */
    readonly task: string;
    /** True: all trials of the scenario are the same one, and count as one; absent: they may differ. */
    readonly constant?: true;
  } & AttackedReport)[];
}
