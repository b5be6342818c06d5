import type { ChaosDefinition, ColumnDefinition } from './contract-chaos.ts';
import type { PromptMutationsDefinition, ReplaysDefinition } from './contract-prompts.ts';
import type { ProvenanceDefinition } from './scenario-tables.ts';

// Made from the schemas of what stands in files by `npm run schemas`; a test fails until it is.

/** A contract file. */
export interface ContractTables {
  /** What the subject is asked. */
  readonly goldenPrompts?: readonly string[];
  /** What goes wrong around the subject. */
  readonly chaos?: ChaosDefinition;
  /** Ways in which the world breaks while the invariants must hold. */
  readonly chaosMatrix?: readonly ColumnDefinition[];
  /** Shares of the phases in the overall score; their sum is 1. */
  readonly scoring?: {
    /** Default 0.20. */
    readonly mutation?: number;
    /** Default 0.35. */
    readonly chaos?: number;
    /** Default 0.35. */
    readonly contract?: number;
    /** Default 0.10. */
    readonly replay?: number;
    /** The shares. */
    readonly weights?: {
      /** Default 0.20. */
      readonly mutation?: number;
      /** Default 0.35. */
      readonly chaos?: number;
      /** Default 0.35. */
      readonly contract?: number;
      /** Default 0.10. */
      readonly replay?: number;
    };
  };
  /** Ways in which prompts are changed, each a column of a matrix of its own. */
  readonly mutations?: PromptMutationsDefinition;
  /** Recorded sessions that the contract is held to once more. */
  readonly replays?: ReplaysDefinition;
  /** Settings of the reference. */
  readonly advanced?: {
    /** Default of agent.concurrency: calls at a time of an agent that is stateless. */
    readonly concurrency?: number;
    /** Default of agent.retries. */
    readonly retries?: number;
    /** Replaces the suite's seed. */
    readonly seed?: number;
  };
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
}

/** A named set of invariants and the ways in which the world breaks while they must hold. */
export interface BareContractTables {
  /** Label in reports; where several files have one of that name, the file stands behind it. */
  readonly name?: string;
  /** What the contract is for. */
  readonly description?: string;
  /** Trials of each column and prompt; default 1. */
  readonly trials?: number;
  /** Share of judged answers that must obey for a cell to pass; default 1. */
  readonly minPassRate?: number;
  /** The lowest score, from 0 to 1, with which the contract passes; left out: none. */
  readonly minScore?: number;
  /** What the subject is asked; the same as golden_prompts. */
  readonly prompts?: readonly string[];
  /** Key of the trigger's payload that the prompt goes to; dots lead inwards. Default prompt. */
  readonly promptKey?: string;
  /** For `max_cost`: what tokens cost, where the command line does not say. */
  readonly price?: {
    /** USD per million tokens of prompts. */
    readonly input: number;
    /** USD per million tokens of answers. */
    readonly output: number;
  };
  /** What compares texts: `lexical` (default), or a plug-in of this kind. */
  readonly similarity?: string;
  /** Puts [chaos] under every column of the matrix. */
  readonly stack?: boolean;
  /** Ways in which the world breaks while the invariants must hold. */
  readonly chaosMatrix?: readonly ColumnDefinition[];
}

/** A subject that is not a workflow. */
export interface PromptAgentTables {
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
  /** The request, with `{prompt}` and `{field}` places; left out: `{"input": "{prompt}"}`. */
  readonly requestTemplate?: string;
  /** Where the answer is, such as `$.choices[0].message.content`. */
  readonly responsePath?: string;
  /** Whether lines `field: value` of a prompt fill places; default true. */
  readonly parseStructuredInput?: boolean;
  /** Program and arguments; the prompt goes to its standard input. */
  readonly command?: readonly string[];
  /** JavaScript module, relative to this file, whose function or object with `invoke` is asked. */
  readonly module?: string;
  /** Name of what the module exports; default `default`. */
  readonly export?: string;
  /** Key of the object that a module or runnable gets the prompt in; left out: the one that it asks for, else text. */
  readonly inputKey?: string;
  /** `module:attribute` of a Python callable. */
  readonly python?: string;
  /** Milliseconds of one call, 1000 to 300000; default 30000. */
  readonly timeout?: number;
  /** The same without bounds. */
  readonly timeoutMs?: number;
  /** Tries after a call that did not get through; default 2. */
  readonly retries?: number;
  /** True: it keeps nothing from call to call, so that it is asked several things at a time and never reset. */
  readonly stateless?: boolean;
  /** Calls at a time, where it is stateless; default 10. */
  readonly concurrency?: number;
  /** URL that a POST brings it back to its first state with; a path is that of its host. */
  readonly resetEndpoint?: string;
  /** When it is brought back: for each column and list of prompts, or each trial. */
  readonly isolation?: 'cell' | 'trial';
  /** Port of the proxy for its own calls; 0: any. */
  readonly proxyPort?: number;
  /** Tools that it reaches as `/tools/NAME/…` of the proxy: the URL behind each. */
  readonly proxyTools?: Readonly<Record<string, string>>;
  /** Where model calls of the proxy go; left out: to OpenAI, or to Anthropic or Gemini for what has their format. */
  readonly upstream?: string;
}
