import type { Json, JsonObject } from '../json.ts';
import type {
  AssertionDefinition,
  CallDefinition,
  GoalDefinition,
  GoldDefinition,
  UserDefinition,
} from './agent-task.ts';
import type {
  AttackDefinition,
  LadderDefinition,
  MutationsDefinition,
  PersonaDefinition,
  ToolFaultDefinition,
  WorldToolDefinition,
} from './agent-world.ts';
import type { PolicyDefinition, ProvenanceDefinition } from './scenario-tables.ts';

// Made from the schemas of what stands in files by `npm run schemas`; a test fails until it is.

/** A scenario: an agent, what a user wants of it, and what must hold after each trial. */
export interface AgentScenarioTables {
  /** Name in reports, before those of tasks and agents. */
  readonly name: string;
  /** What it is about. */
  readonly description?: string;
  /** Labels for --tag. */
  readonly tags?: readonly string[];
  /** Capabilities that every task claims to cover, such as `security_injection`. */
  readonly capabilities?: readonly string[];
  /** The part of the test material that it belongs to; releases ask for it. */
  readonly suite?: 'validation' | 'regression' | 'exploration' | 'stress' | 'adversarial';
  /** Where the scenario comes from, and who answers for it. */
  readonly provenance?: ProvenanceDefinition;
  /** What is tried against the subject. A trial that passes has resisted. */
  readonly attack?: {
    /** What is tried, as categories of the OWASP Top 10 for Agentic Applications. */
    readonly owasp: readonly (
      | 'ASI01'
      | 'ASI02'
      | 'ASI03'
      | 'ASI04'
      | 'ASI05'
      | 'ASI06'
      | 'ASI07'
      | 'ASI08'
      | 'ASI09'
      | 'ASI10'
    )[];
    /** How what the attacker says reaches the subject. */
    readonly channel?:
      | 'tool_output'
      | 'memory'
      | 'retrieved_document'
      | 'user_turn'
      | 'agent_message'
      | 'tool_description';
  };
  /** Trials of each task; default 1. */
  readonly trials?: number;
  /** Share of trials that must pass; left out: all of them. */
  readonly minPassRate?: number;
  /** Limit of a trial in milliseconds; default 30,000. */
  readonly timeoutMs?: number;
  /** Replaces the run's. */
  readonly seed?: number;
  /**
   * Rows that the file is loaded for, one scenario each: tables, or the name of a .csv, .tsv, .jsonl or .ndjson file.
   * `{{case.field}}` in texts stands for a field of the row; `name` names it.
   */
  readonly cases?: string | readonly JsonObject[];
  /**
   * Prompts, models or settings that are compared: a list of values for each axis. Every combination is a scenario, on
   * every case. `{{matrix.axis}}` in texts, those of the workflow included, stands for the value.
   */
  readonly matrix?: Readonly<Record<string, readonly Json[]>>;
  /** What the world holds when a trial begins. */
  readonly state?: JsonObject;
  /** What the agent can do in it. */
  readonly tools?: readonly WorldToolDefinition[];
  /** Personas as whom the users of all tasks come, each with scenarios of its own. */
  readonly personas?: readonly PersonaDefinition[];
  /** More axes of personas by name: `verbosity`, `typos`, `patience`, and of users that models play any manner. */
  readonly axes?: Readonly<Record<string, readonly (string | number)[]>>;
  /** Ways in which messages to the subject are changed, each with trials of its own beside those without a change. */
  readonly mutations?: MutationsDefinition;
  /** A scenario for each rung of a ladder, and what grows with it. */
  readonly ladder?: LadderDefinition;
  /** Attacks, each of which is tried on every task. */
  readonly attacks?: readonly AttackDefinition[];
  /** What the subject may do. Absent: everything. Present: only what a list allows. */
  readonly policy?: PolicyDefinition;
  /** What goes wrong around the agent. */
  readonly chaos?: {
    /** Faults of tools; the first that strikes wins. */
    readonly toolFaults?: readonly ToolFaultDefinition[];
  };
  /** The user, who follows this script or is played by a model. */
  readonly user: UserDefinition;
  /** What is right: the state must become what these calls make of it, and calls can be compared with them. */
  readonly gold?: GoldDefinition;
  /** What a session should reach on its way: how far it got is told, and decides nothing. */
  readonly goals?: readonly GoalDefinition[];
  /** What the agent must do: it is told and tries again, and the trial fails once its tries are used up. */
  readonly assert?: readonly AssertionDefinition[];
  /** The same, but once its tries are used up that is only noted. */
  readonly suggest?: readonly AssertionDefinition[];
}

/** The agent that is tried; with nothing but `turns`, canned answers. */
export interface AgentDefinition {
  /** How it is called; left out: what the other keys say, `http` with an endpoint. */
  readonly type?: 'http' | 'command' | 'module' | 'python' | 'langchain';
  /** Its URL, or `module:attribute` for python and langchain; `$NAME` stands for a granted variable. */
  readonly endpoint?: string;
  /** HTTP method: GET, POST, PUT, PATCH or DELETE; default POST. */
  readonly method?: string;
  /** HTTP headers; `$NAME` stands for a granted variable. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Query parameters; `$NAME` stands for a granted variable. */
  readonly queryParams?: Readonly<Record<string, string>>;
  /**
   * What it is given: {prompt}, {messages}, {session}, {system}, {tools_url}, {tools_server}, {model_url} and {field}
   * places; left out: the message.
   */
  readonly requestTemplate?: string;
  /** Where the answer is, such as `$.choices[0].message.content`. */
  readonly responsePath?: string;
  /** Whether lines `field: value` of a prompt fill places; default true. */
  readonly parseStructuredInput?: boolean;
  /** Program and arguments; the prompt goes to its standard input. */
  readonly command?: readonly string[];
  /** JavaScript module, relative to this file, run in workers; --allow-run grants it. */
  readonly module?: string;
  /** The function that it exports; default `default`. */
  readonly export?: string;
  /** `module:attribute` of a Python callable. */
  readonly python?: string;
  /** Milliseconds of one call, 1000 to 300000; default 30000. */
  readonly timeout?: number;
  /** The same without bounds. */
  readonly timeoutMs?: number;
  /** Tries after a call that did not get through; default 2. */
  readonly retries?: number;
  /** True: it keeps nothing from call to call, so that it has several sessions at a time. */
  readonly stateless?: boolean;
  /** Sessions at a time; default --concurrency over HTTP, else 10. */
  readonly concurrency?: number;
  /** URL that a POST brings it back to its first state with; a path is that of its host. */
  readonly resetEndpoint?: string;
  /** `module:function` that brings it back to its first state. */
  readonly resetFunction?: string;
  /**
   * `mcp`: tools are served to it, at {tools_url}, by the program {tools_server}, and for programs at PASSK_TOOLS_URL
   * and PASSK_TOOLS_SERVER. `functions`: it is a model, which is given them as functions and answers with calls.
   */
  readonly tools?: 'mcp' | 'functions';
  /**
   * The model that it asks at {model_url}, and programs at PASSK_MODEL_URL, as [models] calls it. Of `functions`: what
   * the provider calls the model; without an endpoint what [models] calls it.
   */
  readonly model?: string;
  /** Canned answers of its `model`, which stand for it in runs without --live. */
  readonly turns?: readonly AgentTurnDefinition[];
  /** Of `functions`: how the endpoint takes messages; default `chat`, chat completions. */
  readonly format?: 'chat' | 'responses' | 'messages' | 'contents';
  /** Of `functions`: the variable with the key; --allow-env grants it. */
  readonly apiKeyEnv?: string;
  /** Of `functions`; left out: as the provider says. */
  readonly temperature?: number;
  /** Of `functions`: tokens of an answer at most. */
  readonly maxTokens?: number;
}

/** One answer of the agent. */
export interface AgentTurnDefinition {
  /** Tools that it calls first, in order. */
  readonly calls?: readonly CallDefinition[];
  /** What it says to the user; left out: nothing yet, and the next turn goes on. */
  readonly says?: string;
  /** Tokens that the questions behind it are said to take. */
  readonly promptTokens?: number;
  /** Tokens that it is said to take itself. */
  readonly completionTokens?: number;
  /** Whether it is given again and again. */
  readonly repeat?: boolean;
  /** The answers one is drawn from; replaces calls and says. */
  readonly variants?: readonly {
    /** Tools that it calls first, in order. */
    readonly calls?: readonly CallDefinition[];
    /** What it says to the user; left out: nothing yet, and the next turn goes on. */
    readonly says?: string;
    /** Tokens that the questions behind it are said to take. */
    readonly promptTokens?: number;
    /** Tokens that it is said to take itself. */
    readonly completionTokens?: number;
    /** Relative chance of being drawn; default 1. */
    readonly weight?: number;
  }[];
}

/** Where sessions take place and where they end. */
export interface SessionTables {
  /** What the user says at most; default 20. */
  readonly messages?: number;
  /** Calls of tools in a session at most; default 100. */
  readonly calls?: number;
  /** Tokens that an agent says its answers took, in a session at most; left out: any number. */
  readonly tokens?: number;
  /** Which personas are tried: so that each pair of values of two axes occurs (default), or all. */
  readonly cover?: 'pairwise' | 'all';
  /** Share of trials that users played by models may spoil before rates count them; default 0.1. */
  readonly maxUserFailures?: number;
  /** What agents are told before anything else, such as a policy. */
  readonly system?: string;
  /** File with that text, relative to this file. */
  readonly systemFile?: string;
}
