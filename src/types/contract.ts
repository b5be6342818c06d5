import type { Location } from './issue.ts';
import type { Agent } from './agent.ts';
import type { Chaos } from './chaos.ts';
import type { Invariant } from './invariant.ts';
import type { Mutants } from './mutations/mutation.ts';
import type { ReplayedSession } from './replays/replayed-session.ts';
import type { DefinitionBase, PartBase } from './suite-base.ts';

/** One column of the matrix. */
export interface ChaosScenario extends Chaos {
  /** The column's name. */
  readonly name: string;
}

/** A named set of invariants and the ways in which the world breaks while they must hold. */
export interface Contract extends DefinitionBase {
  readonly kind: 'contract';
  /** What the contract is for. */
  readonly description?: string;
  /**
   * What it counts as in `passk ci`. `contract`: the matrix. `chaos`: run-level invariants under the file's own chaos.
   * `prompts`: run-level invariants in a world without chaos; it has no score of its own. `mutation`: mutated prompts.
   * `replay`: recorded sessions.
   */
  readonly phase: 'contract' | 'chaos' | 'prompts' | 'mutation' | 'replay';
  /** What must hold in each column. */
  readonly invariants: readonly Invariant[];
  /** Where each invariant stands in the file, in their order. */
  readonly places?: readonly Pick<Location, 'line' | 'column'>[];
  /** What goes wrong in each column. */
  readonly matrix: readonly ChaosScenario[];
  /** Golden prompts, in order. */
  readonly prompts: readonly string[];
  /** Trials of each column and list of prompts. */
  readonly trials: number;
  /** Share of judged answers that must obey for a cell to pass; 1: all. */
  readonly minPassRate: number;
  /** The lowest score, from 0 to 1, with which it passes; null: only a critical cell or a score of 0 fails it. */
  readonly minScore: number | null;
  /** Shares of the phases in the overall score of `passk ci`. */
  readonly scoring: PhaseWeights;
  /** The plug-in that compares texts; absent: passk's own method does. */
  readonly similarity?: string;
  /** Of the phase `mutation`: the prompts that are asked in the column of their type, and how much each type weighs. */
  readonly mutations?: {
    /** The prompts that are asked in the column of their type. */
    readonly mutants: readonly Mutants[];
    /** How much each type weighs. */
    readonly weights: readonly number[];
  };
  /** Of the phase `replay`: the sessions, one for each column. */
  readonly sessions?: readonly ReplayedSession[];
  /** What is tried. */
  readonly subject: ContractSubject;
}

/** What each phase counts in the overall score. */
export interface PhaseWeights {
  /** Of changed prompts. */
  readonly mutation: number;
  /** Of what goes wrong around the agent. */
  readonly chaos: number;
  /** Of contracts. */
  readonly contract: number;
  /** Of recorded incidents. */
  readonly replay: number;
}

/** Whom a contract binds. */
export type ContractSubject =
  | { readonly kind: 'workflow' }
  | {
      readonly kind: 'agent';
      /** The agent that is asked. */
      readonly agent: Agent;
    };

/** What a run learned of a contract's agent besides its answers. */
export interface AgentFacts {
  /** Columns whose answers may depend on what an earlier column left in it. */
  readonly contaminated: readonly string[];
}

/** One column with one list of prompts, as it is planned: what a scenario carries for the fold. */
export interface ContractPart extends PartBase {
  readonly kind: 'contract';
  /** Name of the column. */
  readonly column: string;
  /** Asked in this order; for workflows exactly one. */
  readonly prompts: readonly string[];
  /** Position of the first prompt in its list. */
  readonly at: number;
}
