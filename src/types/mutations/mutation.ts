import type { Count, Proportion } from '../numbers.ts';

/** Ways of changing a message that keep what it means: numbers, names and negations stand as they are. */
export const KEEPING_MUTATIONS = [
  'typos',
  'noise',
  'case',
  'spacing',
  'look_alikes',
  'invisible',
  'repetition',
  'padding',
  'language_mixing',
] as const;

/** Ways of changing a message that may change what it means, or that put something hostile beside it. */
export const PUSHING_MUTATIONS = [
  'reordering',
  'length_extremes',
  'encoding_attacks',
  'token_manipulation',
  'prompt_injection',
  'context_manipulation',
  'multi_turn_attack',
  'advanced_jailbreak',
  'format_poisoning',
  'temporal_attack',
  'http_header_injection',
  'payload_size_attack',
  'content_type_confusion',
  'query_parameter_poisoning',
  'request_method_attack',
  'protocol_level_attack',
  'resource_exhaustion',
  'concurrent_request_pattern',
  'timeout_manipulation',
] as const;

/** Every way of changing a message that takes no model. The words of Flakestorm where it has one. */
export type MutationType = (typeof KEEPING_MUTATIONS)[number] | (typeof PUSHING_MUTATIONS)[number];
export const MUTATION_TYPES: readonly MutationType[] = [...KEEPING_MUTATIONS, ...PUSHING_MUTATIONS];

/** Ways of changing a message that a model carries out. How well it does so is not looked at. */
export const MODEL_MUTATIONS = ['paraphrase', 'tone_shift', 'translation', 'semantic_similarity_attack'] as const;

/** A way of changing a message that a file describes, by the name of its template. A model carries it out. */
export type CustomMutation = `custom:${string}`;
export type ModelMutation = (typeof MODEL_MUTATIONS)[number] | CustomMutation;

/** How messages to the subject are changed on their way. */
export interface MessageMutation {
  /** The type of the mutation. */
  readonly type: MutationType | ModelMutation;
  /** The model that changes them, as `[models]` and `--model` call it; absent: the type takes none. */
  readonly model?: string;
  /** Of a custom type what the model is told, with `{prompt}` where the message stands; absent: the type says it. */
  readonly template?: string;
}

/** How the trials of a scenario went whose messages to the subject were mutated. */
export interface MutatedTrials {
  /** The type of the mutation. */
  readonly type: MutationType | ModelMutation;
  /** Trials that were judged and in which at least one message was changed. They alone say something about the mutation. */
  readonly changed: Count;
  /** Of these. */
  readonly passed: Count;
  /** Judged trials in which the mutation changed nothing: they say nothing about it. */
  readonly unchanged: Count;
}

/** What the mutations of one type did to a subject, over all of its scenarios or prompts. */
export interface Robustness {
  /** The type of the mutation. */
  readonly type: MutationType | ModelMutation;
  /** Whether the mutation is said to keep what a message means; nobody says so of what a model makes. */
  readonly keepsMeaning: boolean;
  /** Trials with something changed, that were judged. */
  readonly trials: Count;
  /** Of these. */
  readonly passed: Count;
  /** passed / trials; null: nothing was changed. */
  readonly rate: Proportion | null;
  /**
   * 95 %. Of sessions Clopper–Pearson's, for more trials of the same scenarios; of contracts cluster-robust, for more prompts
   * like these. Null: nothing was changed, a contract has a single prompt, or the run could stop early.
   */
  readonly interval: readonly [Proportion, Proportion] | null;
  /** Prompts that were made of those of a contract, each another one; absent: they are messages of sessions. */
  readonly mutants?: Count;
  /** What the mutation left as it was: judged trials of sessions, prompts of contracts. In no rate. */
  readonly unchanged: Count;
  /** Prompts of contracts that came out as another one of the same prompt and type, and are not asked again; absent: none. */
  readonly repeated?: Count;
  /** Trials that could not be judged: in no rate. */
  readonly broken: Count;
}

/** What mutations did, beside the same trials without them. */
export interface RobustnessReport {
  /** The same scenarios or prompts as they were written. */
  readonly unmutated: Pick<Robustness, 'trials' | 'passed' | 'rate' | 'interval' | 'broken'>;
  /** By type; types of which nothing ran are left out. */
  readonly types: readonly Robustness[];
}

/** What a scenario is a mutation of. */
export interface MutationOf {
  /** The type of the mutation. */
  readonly type: MutationType | ModelMutation;
  /** Name of the scenario whose messages are as they were written. */
  readonly of: string;
}

/** Prompts of a contract that a mutation made, or, where it names a model, that this changes in each trial. */
export interface Mutants extends MessageMutation {
  /** Each another one, with the position of the prompt that it was made of. */
  readonly texts: readonly {
    /** The position of the prompt, from 0. */
    readonly prompt: number;
    /** The mutated prompt. */
    readonly text: string;
  }[];
  /** How often a prompt came out as it was. */
  readonly unchanged: number;
  /** How often one came out as it had before; absent: never. */
  readonly repeated?: number;
}
