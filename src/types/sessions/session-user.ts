import type { Amount, Count, Proportion } from '../numbers.ts';

/** A user who follows a script. What is left to chance is drawn from the seed. */
export interface ScriptedUser {
  /** Absent too: it is scripted. */
  readonly kind?: 'scripted';
  /** What the user says first. */
  readonly opening: string;
  /** What the user wants, for people who read the file; null: it does not say. */
  readonly goal: string | null;
  /** What the user knows and says when asked for it. */
  readonly known: readonly KnownFact[];
  /** Patterns of questions that the user cannot answer. */
  readonly unknown: readonly string[];
  /** What the user says where a message of the agent has a match of a pattern; the first that may still be said. */
  readonly replies: readonly ScriptedReply[];
  /** Changes of mind. */
  readonly changes: readonly ChangeOfMind[];
  /** Patterns of messages after which the user has nothing left to say; []: a message that asks nothing. */
  readonly ends: readonly string[];
  /** How much the user says. */
  readonly verbosity: Verbosity;
  /** Chance that a word without digits is mistyped. */
  readonly typos: Amount;
  /** Messages in a row that the user has no answer to until the user gives up. */
  readonly patience: Count;
}

export const VERBOSITIES = ['brief', 'standard', 'chatty'] as const;
/** `brief`: values alone. `chatty`: with small talk around what matters. */
export type Verbosity = (typeof VERBOSITIES)[number];

export interface KnownFact {
  /** The name of the fact. */
  readonly name: string;
  /** The fact. */
  readonly value: string;
  /** Patterns of messages that ask for it. */
  readonly asked: readonly string[];
  /** What the user says, with the marker `{{value}}`. */
  readonly says: string;
}

export interface ScriptedReply {
  /** Pattern of the message that it answers (RE2 syntax). */
  readonly when: string;
  /** The answer. */
  readonly says: string;
  /** How often it is said at most. */
  readonly times: Count;
}

export interface ChangeOfMind {
  /** Messages of the agent after which it may happen, once. */
  readonly after: Count;
  /** The chance that it happens, from 0 to 1. */
  readonly chance: Amount;
  /** What the user says then. */
  readonly says: string;
  /** New values of what is known, by name. */
  readonly known: Readonly<Record<string, string>>;
}

/** A user whom a model plays. */
export interface UserModel {
  readonly kind: 'model';
  /** As `[models]` and `--model` call it. */
  readonly model: string;
  /** Who the model plays. */
  readonly card: PersonaCard;
  /** What the model answers where no model is asked; []: nothing. */
  readonly turns: readonly UserTurn[];
  /** The share of trials that the user may spoil before rates count them as broken ones. */
  readonly mostFailures: Proportion;
}

/** Who the user is, wants and knows: all that the model is told beside passk's own rules. */
export interface PersonaCard {
  /** What the user says first, word for word; null: the model finds words. */
  readonly opening: string | null;
  /** Null, here and below: the card does not say. */
  readonly who: string | null;
  /** What the user wants. */
  readonly goal: string | null;
  /** What the user knows and says when asked for it. */
  readonly known: readonly {
    /** The name of the fact. */
    readonly name: string;
    /** The fact. */
    readonly value: string;
  }[];
  /** What the user does not know, in words. */
  readonly unknown: readonly string[];
  /** Values that the user must never say, because nobody told them. */
  readonly hidden: readonly string[];
  /** How the user talks, such as a tone or a language, by name. */
  readonly manner: readonly {
    /** The name of the trait. */
    readonly name: string;
    /** The trait, in words. */
    readonly value: string;
  }[];
  /** When the user is done, in words. */
  readonly ends: string | null;
}

/** One canned answer of a user's model, or several variants of it. */
export interface UserTurn {
  /** True: it is given again and again. */
  readonly repeat: boolean;
  /** At least one. */
  readonly variants: readonly {
    /** How often it is drawn, relative to the others. */
    readonly weight: number;
    /** What the user says. */
    readonly says: string;
  }[];
}

/** The rules of a simulated user, by how it breaks them. One that does says nothing about the agent. */
export const USER_RULES = [
  'no_answer',
  'empty',
  'refuses',
  'speaks_as_agent',
  'echoes',
  'invents_value',
  'reveals_unknown',
  'ends_early',
  'never_ends',
] as const;
export type UserRule = (typeof USER_RULES)[number];

/** A user that a model played in one session. What it cost is no cost of the agent. */
export interface SimulatedUser {
  /** As the file calls it. */
  readonly model: string;
  /** The rule that it broke, which spoilt the trial; null: none. */
  readonly broke: UserRule | null;
  /** How often the model answered. */
  readonly calls: Count;
  /** Of answers that tell it. */
  readonly promptTokens: Count;
  /** Tokens of these answers. */
  readonly completionTokens: Count;
}

/** The users that a model played in the trials of a scenario. */
export interface SimulatedUsers extends Omit<SimulatedUser, 'broke'> {
  /** All of them. */
  readonly trials: Count;
  /** Trials that the user spoilt, which are broken ones. */
  readonly failures: Count;
  /** failures / trials. */
  readonly rate: Proportion;
  /** 95 %, Wilson's. */
  readonly interval: readonly [Proportion, Proportion];
  /** The rules that were broken, most often first. */
  readonly rules: readonly {
    /** The rule. */
    readonly rule: UserRule;
    /** Trials in which it was broken. */
    readonly count: Count;
  }[];
  /** Trials left out of every rate: all that it spoilt, or none where they are more than the file allows. */
  readonly leftOut: Count;
  /** The share that the file allows. */
  readonly most: Proportion;
}
