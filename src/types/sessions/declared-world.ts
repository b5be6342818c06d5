import type { Json, JsonObject } from '../json.ts';
import type { ValueTest } from '../value-test.ts';
import type { RecordedAnswer } from './recorded-tools.ts';

/** The state that a trial begins with, and the tools that look at it and change it. */
export interface DeclaredWorld {
  /** The state at the beginning. */
  readonly state: JsonObject;
  /** The tools. */
  readonly tools: readonly DeclaredTool[];
  /** What tools gave when they were recorded, in order: no steps are taken. Absent: they are. */
  readonly recorded?: readonly RecordedAnswer[];
}

/** A world that is code of the user: a module, or an object of the program that made the scenario. */
export type WorldCode = WorldModuleFile | WorldObject;

/** A world that is a module, which is loaded where trials run. */
export interface WorldModuleFile extends ChangedWorld {
  /** Relative to the suite's root. */
  readonly file: string;
}

/** A world that is an object of the program. It stands on the calling thread. */
export interface WorldObject extends ChangedWorld {
  /** The name that the scenario has for it. */
  readonly code: string;
}

interface ChangedWorld {
  /** What the task has different from the state of the code. */
  readonly changes: readonly {
    /** Dotted. */
    readonly at: string;
    /** The value that is put there. */
    readonly value: Json;
  }[];
}

/** A tool whose work is written down step by step. */
export interface DeclaredTool {
  /** The name of the tool. */
  readonly name: string;
  /** What the tool does, as agents read it. */
  readonly description: string;
  /** JSON Schema of its arguments, an object. */
  readonly parameters: JsonObject;
  /** What a call does, step by step. */
  readonly steps: readonly WorldStep[];
  /** What it gives, with markers; absent: what its last step gave. */
  readonly result?: Json;
  /** Of a recorded tool: it changes nothing anywhere; absent: nobody says so. */
  readonly readsOnly?: true;
}

/** One step of a tool; texts in it may hold markers such as `{{args.id}}`. It is left out where a condition does not hold. */
export type WorldStep = StepDoing & {
  /** All must hold; []: always. */
  readonly when: readonly WorldCondition[];
};

type StepDoing =
  /** The call ends here, with this message for the agent, and changes nothing. */
  | {
      readonly kind: 'fail';
      /** The error that the tool gives. */
      readonly message: string;
    }
  /** The value at a place; null where there is none. */
  | {
      readonly kind: 'get';
      /** The place in the state. */
      readonly at: WorldPlace;
      /** The name that later steps have for the value. */
      readonly as: string | null;
    }
  /** The entries of a table or list that have these values, as a list. */
  | {
      readonly kind: 'list';
      /** The place in the state. */
      readonly at: WorldPlace;
      /** The fields that an entry must have. */
      readonly where: JsonObject;
      /** The name that later steps have for the value. */
      readonly as: string | null;
    }
  /** How many entries the table or list has. */
  | {
      readonly kind: 'count';
      /** The place in the state. */
      readonly at: WorldPlace;
      /** The name that later steps have for the value. */
      readonly as: string;
    }
  /** Tables on the way are made where they are missing. */
  | {
      readonly kind: 'set';
      /** The place in the state. */
      readonly at: WorldPlace;
      /** The value. */
      readonly value: Json;
    }
  /** To a list, which is made where it is missing. */
  | {
      readonly kind: 'append';
      /** The place in the state. */
      readonly at: WorldPlace;
      /** The value. */
      readonly value: Json;
    }
  | {
      readonly kind: 'remove';
      /** The place in the state. */
      readonly at: WorldPlace;
    }
  /** A value, or a number made of numbers: value × times + plus − minus. */
  | {
      readonly kind: 'compute';
      /** The name that later steps have for the value. */
      readonly as: string;
      /** The value. */
      readonly value: Json;
      /** What the value is multiplied by. */
      readonly times: Json;
      /** What is added to the value. */
      readonly plus: Json;
      /** What is taken from the value. */
      readonly minus: Json;
    };

/** Keys and positions that lead to a place of the state, each of which may hold markers. */
export type WorldPlace = readonly (string | number)[];

/** A test of the value of a marker, or of what stands at a place of the state. */
export interface WorldCondition {
  /** What is tested: a value, or a place in the state. */
  readonly of:
    | {
        readonly kind: 'value';
        /** The value. */
        readonly value: Json;
      }
    | {
        readonly kind: 'place';
        /** The place in the state. */
        readonly at: WorldPlace;
      };
  /** What it must be. */
  readonly test: ValueTest;
}
