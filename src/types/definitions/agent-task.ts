import type { Json, JsonObject } from '../json.ts';

// Made from the schemas of what stands in files by `npm run schemas`; a test fails until it is.

/** A call of a tool. */
export interface CallDefinition {
  /** The tool. */
  readonly tool: string;
  /** Its arguments; default none. */
  readonly args?: JsonObject;
}

/** The user, who follows this script or is played by a model. */
export interface UserDefinition {
  /** What the user says first; a script needs it, and a model finds words of its own. */
  readonly opening?: string;
  /** What the user wants: told to a model, and to people who read the file. */
  readonly goal?: string;
  /** A model plays the user: its name in [models] or --model. The keys of a script are for no model. */
  readonly model?: string;
  /** Of a model: who the user is. */
  readonly who?: string;
  /** Of a model: values that the user must never say, because nobody told them. */
  readonly hidden?: readonly string[];
  /** Of a model: how the user talks, such as `tone` and `language`. */
  readonly manner?: Readonly<Record<string, string>>;
  /** Of a model: when the user is done, in words. */
  readonly doneWhen?: string;
  /** Of a model: what it answers in runs without --live, message by message. */
  readonly turns?: readonly {
    /** What it answers; left out: nothing. */
    readonly says?: string;
    /** Whether it is given again and again. */
    readonly repeat?: boolean;
    /** The answers one is drawn from; replaces says. */
    readonly variants?: readonly {
      /** What it answers; left out: nothing. */
      readonly says?: string;
      /** Relative chance of being drawn; default 1. */
      readonly weight?: number;
    }[];
  }[];
  /** What the user knows and says when asked for it, by name. */
  readonly known?: Readonly<
    Record<
      string,
      | string
      | {
          /** What it is. */
          readonly value: string;
          /** Patterns of messages that ask for it (RE2 syntax); left out: its name. */
          readonly asked?: readonly string[];
          /** What the user says, with the marker `{{value}}`. */
          readonly says?: string;
        }
    >
  >;
  /** What the user does not know: of a script patterns of questions (RE2 syntax), of a model words. */
  readonly unknown?: readonly string[];
  /** Answers to what the agent says. */
  readonly replies?: readonly {
    /** Pattern of a message of the agent (RE2 syntax). */
    readonly when: string;
    /** What the user says to it. */
    readonly says: string;
    /** How often at most; default 1. */
    readonly times?: number;
  }[];
  /** Changes of mind, each at most once. */
  readonly changes?: readonly {
    /** Messages of the agent before it; default 1. */
    readonly after?: number;
    /** How likely it is; default 1. */
    readonly chance?: number;
    /** What the user says then. */
    readonly says: string;
    /** What the user knows from then on, by name. */
    readonly known?: Readonly<Record<string, string>>;
  }[];
  /** Patterns of messages after which the user is done (RE2 syntax); left out: one that asks nothing. */
  readonly ends?: readonly string[];
  /** How much the user talks; default `standard`. */
  readonly verbosity?: 'brief' | 'standard' | 'chatty';
  /** Share of words that are mistyped; default 0. */
  readonly typos?: number;
  /** Messages without an answer after which the user gives up; default 3. */
  readonly patience?: number;
}

/** What is right: the state must become what these calls make of it, and calls can be compared with them. */
export interface GoldDefinition {
  /** The calls that are right, in their order. */
  readonly calls: readonly {
    /** The tool. */
    readonly tool: string;
    /** Its arguments; default none. */
    readonly args?: JsonObject;
    /** Tests of places in an agent's arguments, in place of comparing what stands there. */
    readonly where?: readonly ArgumentTestDefinition[];
    /** How the arguments of this call are compared; left out: as `args` says. */
    readonly matchArgs?: 'exact' | 'ignore' | 'subset' | 'superset' | readonly string[];
  }[];
  /** How the calls must follow the gold ones; default `superset`. */
  readonly match?: 'strict' | 'unordered' | 'subset' | 'superset' | 'in-order';
  /** How arguments are compared; default `exact`. */
  readonly args?: 'exact' | 'ignore' | 'subset' | 'superset' | readonly string[];
  /** How arguments are compared, by tool. */
  readonly tools?: Readonly<Record<string, 'exact' | 'ignore' | 'subset' | 'superset' | readonly string[]>>;
  /** Whether a trial that differs fails; default false: it is told. */
  readonly counts?: boolean;
}

/** What must stand at one place of the arguments. */
export interface ArgumentTestDefinition {
  /** A place in the arguments, as a dotted path. */
  readonly at: string;
  /** The value must be exactly this. */
  readonly equals?: Json;
  /** The value must be anything but this. */
  readonly notEquals?: Json;
  /** JSON text of what the value must be; says null, which TOML cannot. */
  readonly equalsJson?: string;
  /** The text of the value must contain this. */
  readonly contains?: string;
  /** The text of the value must match this pattern (RE2 syntax). */
  readonly matches?: string;
  /** A number or text that the value must be above. */
  readonly above?: Json;
  /** A number or text that the value must be below. */
  readonly below?: Json;
  /** Values of which it must be one. */
  readonly in?: readonly Json[];
  /** Whether there must be such a value; false: a key or node that must be absent. */
  readonly exists?: boolean;
  /** JSON Schema the value must satisfy: a file, relative to this one, or a table. */
  readonly schema?: string | JsonObject;
}

/** A sub-goal: a call, a state, or something that the user is told. */
export interface GoalDefinition {
  /** The stage that it is, in reports; unique in the task. */
  readonly name: string;
  /** Reached by a call of this tool that does what it is asked to. */
  readonly tool?: string;
  /** Arguments that the call must have. */
  readonly args?: JsonObject;
  /** Tests of places in the arguments of the call. */
  readonly where?: readonly ArgumentTestDefinition[];
  /** Reached by a state in which this place passes a test, as a dotted path. */
  readonly at?: string;
  /** What the agent tells the user; a text: it must contain it. */
  readonly says?:
    | string
    | {
        /** Text that must be in it. */
        readonly contains?: string;
        /** Pattern it must match (RE2 syntax). */
        readonly matches?: string;
      };
  /** The value must be exactly this. */
  readonly equals?: Json;
  /** The value must be anything but this. */
  readonly notEquals?: Json;
  /** JSON text of what the value must be; says null, which TOML cannot. */
  readonly equalsJson?: string;
  /** The text of the value must contain this. */
  readonly contains?: string;
  /** The text of the value must match this pattern (RE2 syntax). */
  readonly matches?: string;
  /** A number or text that the value must be above. */
  readonly above?: Json;
  /** A number or text that the value must be below. */
  readonly below?: Json;
  /** Values of which it must be one. */
  readonly in?: readonly Json[];
  /** Whether there must be such a value; false: a key or node that must be absent. */
  readonly exists?: boolean;
  /** JSON Schema the value must satisfy: a file, relative to this one, or a table. */
  readonly schema?: string | JsonObject;
}

/** What an agent must do, and may try again. */
export interface AssertionDefinition {
  /** What it asks for, in reports; unique in the task. */
  readonly name: string;
  /** What the agent tells the user; a text: it must contain it. */
  readonly says?:
    | string
    | {
        /** Text that must be in it. */
        readonly contains?: string;
        /** Pattern it must match (RE2 syntax). */
        readonly matches?: string;
      };
  /** What the agent tells the user; a text: it must contain it. */
  readonly notSays?:
    | string
    | {
        /** Text that must be in it. */
        readonly contains?: string;
        /** Pattern it must match (RE2 syntax). */
        readonly matches?: string;
      };
  /** A place of the state that passes a test whenever the agent answers, as a dotted path. */
  readonly at?: string;
  /** The value must be exactly this. */
  readonly equals?: Json;
  /** The value must be anything but this. */
  readonly notEquals?: Json;
  /** JSON text of what the value must be; says null, which TOML cannot. */
  readonly equalsJson?: string;
  /** The text of the value must contain this. */
  readonly contains?: string;
  /** The text of the value must match this pattern (RE2 syntax). */
  readonly matches?: string;
  /** A number or text that the value must be above. */
  readonly above?: Json;
  /** A number or text that the value must be below. */
  readonly below?: Json;
  /** Values of which it must be one. */
  readonly in?: readonly Json[];
  /** Whether there must be such a value; false: a key or node that must be absent. */
  readonly exists?: boolean;
  /** JSON Schema the value must satisfy: a file, relative to this one, or a table. */
  readonly schema?: string | JsonObject;
  /** Calls of this tool have arguments that pass the tests of `where`; others are not carried out. */
  readonly tool?: string;
  /** Tests of places in the arguments of the call. */
  readonly where?: readonly ArgumentTestDefinition[];
  /** How often the agent is told in a session; default 1. */
  readonly retries?: number;
  /** What the agent is told; left out: the name. */
  readonly feedback?: string;
}
