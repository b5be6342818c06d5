import type { JsonObject } from '../json.ts';

// Made from the schemas of what stands in files by `npm run schemas`; a test fails until it is.

/** Reads a text file: {path, content, bytes}. */
export interface ReadFileKeys {
  /** Where the path of the file is found. Dotted context path: a node id or `trigger` first. */
  readonly pathFrom: string;
}

/** Reads an environment variable: {key, value}, or {key, value: null, missing: true}. */
export interface ReadEnvKeys {
  /** Name of the environment variable, literally. */
  readonly key: string;
}

/** Reads a resource of an MCP server: {uri, server, contents}. */
export interface ReadMcpResourceKeys {
  /** Where the resource's URI is found. Dotted context path: a node id or `trigger` first. */
  readonly resourceFrom: string;
  /** Name of the MCP server; may be left out when only one is declared. */
  readonly server?: string;
}

/** Turns JSON text into a value: {parsed}. */
export interface ParseJsonKeys {
  /** Where the text is found. Dotted context path: a node id or `trigger` first. */
  readonly inputFrom: string;
}

/** Fills a template: {rendered}. */
export interface TemplateRenderKeys {
  /** Text with {{path}} markers, looked up in the value at `inputFrom`. */
  readonly template: string;
  /** The value the markers are looked up in. Dotted context path: a node id or `trigger` first. */
  readonly inputFrom?: string;
}

/** Compares two values: {added, removed, changed, unchanged}. */
export interface DiffComputeKeys {
  /** The value before. Dotted context path: a node id or `trigger` first. */
  readonly leftFrom: string;
  /** The value after. Dotted context path: a node id or `trigger` first. */
  readonly rightFrom: string;
}

/** Picks a part of a value: {value, found}. */
export interface JsonSelectKeys {
  /** The value to select from. Dotted context path: a node id or `trigger` first. */
  readonly inputFrom: string;
  /** Dotted path inside that value; empty selects all of it. */
  readonly path: string;
}

/** Asks a model once: {content, parsed, usage}. */
export interface LlmInferKeys {
  /** Name of the model backend; `default` always exists. */
  readonly backend: string;
  /** Text with {{path}} markers, looked up in the value at `inputFrom`. */
  readonly prompt: string;
  /** The value the markers are looked up in. Dotted context path: a node id or `trigger` first. */
  readonly inputFrom?: string;
  /** Demands JSON: a path to a JSON Schema or an inline table is enforced, the word `inline` asks for any JSON. */
  readonly outputSchema?: string | JsonObject;
  /** How often a rejected answer is sent back for repair; default 0. */
  readonly outputRepairs?: number;
}

/** Lets a model call tools in a bounded loop: {result, steps, tokens, transcript}; branch `exhausted` at a bound. */
export interface AgentLoopKeys {
  /** Name of the model backend; `default` always exists. */
  readonly backend: string;
  /** Most model answers the loop takes, 1 to 64. */
  readonly maxSteps: number;
  /** The task, literally. */
  readonly instructions?: string;
  /** Where the task is found, when it is not literal. Dotted context path: a node id or `trigger` first. */
  readonly instructionsFrom?: string;
  /** Tools the model may call, such as `read_file`. */
  readonly tools?: readonly string[];
  /** Tokens after which no further answer is asked for. */
  readonly maxTokens?: number;
}

/** Writes a file, with its folders: {path, bytes, written}. */
export interface WriteFileKeys {
  /** Where the path of the file is found. Dotted context path: a node id or `trigger` first. */
  readonly pathFrom: string;
  /**
   * What is written: text as it is, anything else as compact JSON. Dotted context path: a node id or `trigger` first.
   */
  readonly contentFrom: string;
}

/** Creates a folder and those above it: {path, created}. */
export interface CreateDirKeys {
  /** Where the path of the folder is found. Dotted context path: a node id or `trigger` first. */
  readonly pathFrom: string;
}

/** Sends an HTTP request: {status, headers, body, bytes}; branch `error` unless the status is 2xx. */
export interface HttpRequestKeys {
  /** HTTP method; case does not matter. */
  readonly method: string;
  /** Where the URL is found. Dotted context path: a node id or `trigger` first. */
  readonly urlFrom: string;
  /** The body: text as it is, anything else as compact JSON. Dotted context path: a node id or `trigger` first. */
  readonly bodyFrom?: string;
  /** Request headers; values may hold {{secret:NAME}}. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Calls a tool of an MCP server: {tool, server, content, is_error, structured}; branch `error` when the tool says so.
 */
export interface CallMcpToolKeys {
  /** Name of the tool, literally. */
  readonly tool: string;
  /** Where the tool's arguments are found; left out: null. Dotted context path: a node id or `trigger` first. */
  readonly argsFrom?: string;
  /** Name of the MCP server; may be left out when only one is declared. */
  readonly server?: string;
}

/** Runs a program: {command, args, exit_code, stdout, stderr, …}; branch `error` when it fails. */
export interface ShellRunKeys {
  /** Absolute path of the program; it is run without a shell. */
  readonly command: string;
  /** Where the list of arguments is found; left out: none. Dotted context path: a node id or `trigger` first. */
  readonly argsFrom?: string;
  /** Seconds until the program is stopped; default 30. */
  readonly timeoutSecs?: number;
}

/** Runs another workflow: {result}; branch `error` with {error} when it fails. */
export interface CallKeys {
  /** The child's workflow file, relative to the scenario file. */
  readonly workflow: string;
  /** The child's trigger input; left out: this run's own. Dotted context path: a node id or `trigger` first. */
  readonly inputFrom?: string;
  /** One of the child's start nodes; left out: its first. */
  readonly start?: string;
}

/** Runs several workflows at once: {results, ok}; branch `error` when any failed. */
export interface ParallelKeys {
  /** The children, all run at once; results keep this order. */
  readonly branches: readonly {
    /** The child's workflow file, relative to the scenario file. */
    readonly workflow: string;
    /** The child's trigger input; left out: this run's own. Dotted context path: a node id or `trigger` first. */
    readonly inputFrom?: string;
    /** One of the child's start nodes; left out: its first. */
    readonly start?: string;
  }[];
}

/** Runs a workflow for each element of an array: {results, ok}; branch `error` when any failed. */
export interface MapKeys {
  /** Where the array is found. Dotted context path: a node id or `trigger` first. */
  readonly itemsFrom: string;
  /** Workflow file run for each element, relative to the scenario file. */
  readonly workflow: string;
  /** Most elements accepted. */
  readonly maxItems: number;
  /** One of the child's start nodes; left out: its first. */
  readonly start?: string;
  /** How many elements overlap; default 4. */
  readonly maxConcurrent?: number;
}

/** Branches `true` or `false` by whether a value is empty, zero, null or false: {value}. */
export interface ConditionKeys {
  /** The value that decides; missing counts as null. Dotted context path: a node id or `trigger` first. */
  readonly expr: string;
}

/** Branches by a value's text: {value}. */
export interface SwitchKeys {
  /**
   * The value whose text becomes the branch label; missing counts as null. Dotted context path: a node id or `trigger`
   * first.
   */
  readonly expr: string;
}

/** A named place where paths meet; output null. */
export type MergeKeys = Readonly<Record<never, never>>;

/** Ends the run as failed. */
export interface FailKeys {
  /** Why, literally; default `workflow failed`. */
  readonly reason?: string;
}

/** Stops until a human decides; `[world.approvals]` plays the human. */
export interface PauseForApprovalKeys {
  /** What the human is asked to look at. */
  readonly reason?: string;
}

/** Shapes the reply to the trigger: {status, content_type, bytes}. */
export interface RespondKeys {
  /** The body, with {{path}} markers. */
  readonly bodyTemplate: string;
  /** HTTP status, 100 to 599; default 200. */
  readonly status?: number;
  /** Default `application/json`. */
  readonly contentType?: string;
  /**
   * The value the markers are looked up in; left out: the raw trigger input. Dotted context path: a node id or
   * `trigger` first.
   */
  readonly inputFrom?: string;
}

/** Ends the run as completed, with the final value null. */
export type TerminateKeys = Readonly<Record<never, never>>;

/**
 * The keys of each node type beside `id`, `type` and `retry`, by the word after `type`. Whoever has node types of their
 * own adds them: `declare module 'passk' { interface NodeKeys { shout: ShoutKeys } }`.
 */
export interface NodeKeys {
  /** Reads a text file: {path, content, bytes}. */
  readonly read_file: ReadFileKeys;
  /** Reads an environment variable: {key, value}, or {key, value: null, missing: true}. */
  readonly read_env: ReadEnvKeys;
  /** Reads a resource of an MCP server: {uri, server, contents}. */
  readonly read_mcp_resource: ReadMcpResourceKeys;
  /** Turns JSON text into a value: {parsed}. */
  readonly parse_json: ParseJsonKeys;
  /** Fills a template: {rendered}. */
  readonly template_render: TemplateRenderKeys;
  /** Compares two values: {added, removed, changed, unchanged}. */
  readonly diff_compute: DiffComputeKeys;
  /** Picks a part of a value: {value, found}. */
  readonly json_select: JsonSelectKeys;
  /** Asks a model once: {content, parsed, usage}. */
  readonly llm_infer: LlmInferKeys;
  /** Lets a model call tools in a bounded loop: {result, steps, tokens, transcript}; branch `exhausted` at a bound. */
  readonly agent_loop: AgentLoopKeys;
  /** Writes a file, with its folders: {path, bytes, written}. */
  readonly write_file: WriteFileKeys;
  /** Creates a folder and those above it: {path, created}. */
  readonly create_dir: CreateDirKeys;
  /** Sends an HTTP request: {status, headers, body, bytes}; branch `error` unless the status is 2xx. */
  readonly http_request: HttpRequestKeys;
  /**
   * Calls a tool of an MCP server: {tool, server, content, is_error, structured}; branch `error` when the tool says so.
   */
  readonly call_mcp_tool: CallMcpToolKeys;
  /** Runs a program: {command, args, exit_code, stdout, stderr, …}; branch `error` when it fails. */
  readonly shell_run: ShellRunKeys;
  /** Runs another workflow: {result}; branch `error` with {error} when it fails. */
  readonly call: CallKeys;
  /** Runs several workflows at once: {results, ok}; branch `error` when any failed. */
  readonly parallel: ParallelKeys;
  /** Runs a workflow for each element of an array: {results, ok}; branch `error` when any failed. */
  readonly map: MapKeys;
  /** Branches `true` or `false` by whether a value is empty, zero, null or false: {value}. */
  readonly condition: ConditionKeys;
  /** Branches by a value's text: {value}. */
  readonly switch: SwitchKeys;
  /** A named place where paths meet; output null. */
  readonly merge: MergeKeys;
  /** Ends the run as failed. */
  readonly fail: FailKeys;
  /** Stops until a human decides; `[world.approvals]` plays the human. */
  readonly pause_for_approval: PauseForApprovalKeys;
  /** Shapes the reply to the trigger: {status, content_type, bytes}. */
  readonly respond: RespondKeys;
  /** Ends the run as completed, with the final value null. */
  readonly terminate: TerminateKeys;
}
