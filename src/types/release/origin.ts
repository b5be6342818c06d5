/** The parts of the test material of a release, each with its purpose. */
export const SUITE_NAMES = ['validation', 'regression', 'exploration', 'stress', 'adversarial'] as const;

/** The part of the test material that a scenario belongs to. */
export type SuiteName = (typeof SUITE_NAMES)[number];

/** Where a scenario comes from. */
export const SOURCE_KINDS = ['curated', 'trace', 'generated', 'imported'] as const;

/** The categories of the OWASP Top 10 for Agentic Applications, 2026. */
export const ASI_IDS = [
  'ASI01',
  'ASI02',
  'ASI03',
  'ASI04',
  'ASI05',
  'ASI06',
  'ASI07',
  'ASI08',
  'ASI09',
  'ASI10',
] as const;

export type AsiId = (typeof ASI_IDS)[number];

/** The ways on which what an attacker says can reach a subject. */
export const ATTACK_CHANNELS = [
  'tool_output',
  'memory',
  'retrieved_document',
  'user_turn',
  'agent_message',
  'tool_description',
] as const;

/** What a file says of where a scenario comes from, and what it is for. Days are written as 2026-11-25. */
export interface Origin {
  /** Absent: the file does not say. */
  readonly suite?: SuiteName;
  /** Where the material comes from. */
  readonly source?: {
    /** What kind of source it is. */
    readonly kind: (typeof SOURCE_KINDS)[number];
    /** Of a trace: its id where it was recorded. */
    readonly traceId?: string;
    /** A name by which the source can be found; not an address. */
    readonly reference?: string;
    /** The licence that it may be used by. */
    readonly licence?: string;
  };
  /** Who looked at it last, and for which release. */
  readonly review?: {
    /** Who looked at it. */
    readonly by: string;
    /** When, as ISO 8601. */
    readonly at: string;
    /** The release that it was looked at for. */
    readonly release: string;
  };
  /** By which policy a trace may be used. */
  readonly consent?: {
    /** The rules that users agreed to. */
    readonly policy: string;
    /** On what ground it may be used. */
    readonly basis: string;
    /** When, as ISO 8601. */
    readonly at: string;
  };
  /** When personal data was taken out of a trace, and how many pieces that were. */
  readonly scrub?: {
    /** When personal data was replaced, as ISO 8601. */
    readonly at: string;
    /** How many places were replaced. */
    readonly removed: number;
  };
  /** The day on which it was last renewed. */
  readonly refreshed?: string;
  /** The family of scenarios that it belongs to, such as paraphrases of one task; absent: it is one of its own. */
  readonly family?: string;
  /** What is tried against the subject; absent: nothing. A trial that passes has resisted. */
  readonly attack?: {
    /** Categories of OWASP that the attack belongs to. */
    readonly owasp: readonly AsiId[];
    /** By which way the attack comes in. */
    readonly channel?: (typeof ATTACK_CHANNELS)[number];
  };
}
