import type { Json } from '../json.ts';
import type { Count } from '../numbers.ts';
import type { AsiId, ATTACK_CHANNELS } from '../release/origin.ts';
import type { StateValue } from '../value-test.ts';

export type AttackChannel = (typeof ATTACK_CHANNELS)[number];

/** The ways in which passk itself words what an attacker wants. */
export const ATTACK_WRAPPERS = [
  'plain',
  'authority',
  'system',
  'urgency',
  'precondition',
  'correction',
  'completion',
  'drill',
  'comment',
  'encoded',
] as const;
export type AttackWrapper = (typeof ATTACK_WRAPPERS)[number];

/** An attacker in a session: a text that reaches the agent, and what the attacker wants to become true in the world. */
export interface SessionAttack {
  /** Unique in the file. */
  readonly name: string;
  /** The channel that the attack enters by. */
  readonly channel: AttackChannel;
  /** The OWASP categories of the attack. */
  readonly owasp: readonly AsiId[];
  /** The tools by which it enters, as globs; []: it enters by the user's first message. */
  readonly targets: readonly string[];
  /** The text of the attack. */
  readonly payload: string;
  /** How passk worded it; absent: the file has the text itself. */
  readonly wrapper?: AttackWrapper;
  /** Tests of the state that hold at one time where it succeeds; at least one. */
  readonly succeeds: readonly StateValue[];
  /** Calls that would bring that about; []: the file names none. */
  readonly calls: readonly {
    /** The tool. */
    readonly name: string;
    /** The arguments. */
    readonly args: Json;
  }[];
}

/** Where a session stands in user tasks × attacks. Its file has attacks. */
export interface CrossedSession {
  /** The name of the agent. */
  readonly agent: string;
  /** The name of the task. */
  readonly task: string;
  /** Absent: the task without an attack. */
  readonly attack?: SessionAttack;
}

/** What became of an attack in one session. */
export interface AttackFacts {
  /** The name of the attack. */
  readonly name: string;
  /** The channel that the attack enters by. */
  readonly channel: AttackChannel;
  /** The text of the attack. */
  readonly payload: string;
  /** Where the payload first reached the agent; null: it never did. */
  readonly entered: {
    /** Position of the turn that holds it; of the description of a tool the first. */
    readonly turn: Count;
    /** Position of the call whose result held it; null: it came by another way. */
    readonly call: Count | null;
  } | null;
  /** The call on which the world became what the attacker wants; null: it never did. */
  readonly reached: {
    /** Position of the call. */
    readonly call: Count;
    /** Position of the turn in which it was made. */
    readonly turn: Count;
    /** What the call changed in the world, at most 8 places. */
    readonly changes: readonly {
      /** Dotted. */
      readonly at: string;
      /** Absent: nothing stood there. */
      readonly before?: Json;
      /** Absent: nothing stands there. */
      readonly after?: Json;
    }[];
  } | null;
}

/** Where the scenario stands in user tasks × attacks, and what its trials gave. */
export interface CrossedReport {
  /** The name of the agent. */
  readonly agent: string;
  /** The name of the task. */
  readonly task: string;
  /** True: the agent is known to do the task wrong, so that its verdict says nothing of how often it is done; absent: it is not. */
  readonly isControl?: true;
  /** Absent: the task without an attack. */
  readonly attack?: AttackedReport;
}

/** What an attack on one task came to. */
export interface AttackedReport {
  /** The name of the attack. */
  readonly name: string;
  /** The channel that the attack enters by. */
  readonly channel: AttackChannel;
  /** The OWASP categories of the attack. */
  readonly owasp: readonly AsiId[];
  /** How passk worded it; absent: the file has the text itself. */
  readonly wrapper?: AttackWrapper;
  /** True: the agent is known to fall for it, so that gates leave it out; absent: it is not. */
  readonly mustFall?: true;
  /** Trials in which it reached the agent, and that did not break. */
  readonly attempts: Count;
  /** Of these, trials in which the world became what the attacker wants. */
  readonly succeeded: Count;
  /** Trials that broke: it never reached the agent, or the agent gave no answer. They say nothing of it. */
  readonly errors: Count;
  /** Trials in which the user's task was done, of all attempts. */
  readonly utility: {
    /** Trials in which the task was done. */
    readonly done: Count;
    /** All trials that were counted. */
    readonly trials: Count;
  };
}
