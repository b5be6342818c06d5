import type { Json } from '../../types/json.ts';
import type { ArgsDefinition, HttpContentDefinition, HttpTargetDefinition } from './define-world.ts';

/** What must have left the workflow, and what its policy must have refused. */
export interface RequestsDefinition {
  /** HTTP requests that policy allowed. */
  readonly http?: readonly (HttpRequestDefinition & CountDefinition)[];
  /** Runs of programs that policy allowed. */
  readonly processes?: readonly (ProcessRequestDefinition & CountDefinition)[];
  /** Calls to MCP servers that policy allowed. */
  readonly mcp?: readonly (McpRequestDefinition & CountDefinition)[];
  /** Requests that must go out in this order; others may lie between them. */
  readonly sequence?: readonly (
    | {
        /** An HTTP request. */
        readonly http: HttpRequestDefinition;
      }
    | {
        /** A run of a program. */
        readonly process: ProcessRequestDefinition;
      }
    | {
        /** A call to an MCP server. */
        readonly mcp: McpRequestDefinition;
      }
  )[];
  /** What the subject's policy must have refused. */
  readonly denials?: readonly ({
    /** Node that must have asked; left out: any, in children too. */
    readonly node?: string;
    /** Text that the denial must contain. */
    readonly contains?: string;
    /** Pattern that the denial must match (RE2 syntax). */
    readonly matches?: string;
  } & CountDefinition)[];
}

interface CountDefinition {
  /** Exactly this many. */
  readonly count?: number;
  /** At least this many; without count and bounds: 1. */
  readonly atLeast?: number;
  /** At most this many; 0: it must not happen. */
  readonly atMost?: number;
}

type HttpRequestDefinition = {
  /** Node that must have asked; left out: any, in children too. */
  readonly node?: string;
} & HttpTargetDefinition &
  HttpContentDefinition;

type ProcessRequestDefinition = {
  /** Node that must have asked; left out: any, in children too. */
  readonly node?: string;
  /** Absolute path of the program. */
  readonly command?: string;
} & ArgsDefinition;

interface McpRequestDefinition {
  /** Node that must have asked; left out: any, in children too. */
  readonly node?: string;
  /** Name of the server. */
  readonly server?: string;
  /** Name of the tool called. */
  readonly tool?: string;
  /** URI of the resource read. */
  readonly resource?: string;
  /** What the arguments must hold: tables may have more keys, lists must be as long. */
  readonly args?: Json;
}
