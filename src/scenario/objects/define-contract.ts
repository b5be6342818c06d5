import type { PromptAgent } from '../../plugin/prompt-agent.ts';
import type { AnswerCheck } from '../../plugin/trial-check.ts';
import type { RuleDefinition } from '../../types/definitions/agent-expected.ts';
import type { BareContractTables, ContractTables, PromptAgentTables } from '../../types/definitions/contract.ts';
import type { ScenarioDefinition } from './define-scenario.ts';

/**
 * A contract made in memory: the keys of a contract file in camelCase, with the same meaning and the same checks. It binds an
 * agent, which may be a function of this program, or a workflow.
 */
export type ContractDefinition = AgentContractDefinition | WorkflowContractDefinition;

/** A contract that binds an agent. */
export interface AgentContractDefinition extends ContractTables, ContractRules {
  /** The agent: a function that is given each prompt, or a table that says how it is called. */
  readonly agent: PromptAgent | PromptAgentDefinition;
}

/** A contract that binds a workflow, with the keys of its scenario. Its invariants say what must hold. */
export interface WorkflowContractDefinition
  extends ContractTables,
    ContractRules,
    Omit<ScenarioDefinition, 'name' | 'expected' | keyof ContractTables> {}

/** What must hold, under its name and for the whole run. */
export interface ContractRules {
  /** What must hold in each column of a matrix. */
  readonly contract?: BareContractDefinition;
  /** What must hold of the golden prompts, while `chaos` goes on. */
  readonly invariants?: readonly InvariantDefinition[];
}

/** A named set of invariants and the ways in which the world breaks while they must hold. */
export interface BareContractDefinition extends BareContractTables {
  /** What must hold in each column. */
  readonly invariants?: readonly InvariantDefinition[];
}

/** A rule of a contract; a function alone has its own name as `id`. */
export type InvariantDefinition = RuleDefinition | FunctionRuleDefinition | AnswerCheck;

/** A rule that is a function of this program. It judges the answers of agents. */
export interface FunctionRuleDefinition
  extends Pick<RuleDefinition, 'id' | 'description' | 'severity' | 'when' | 'negate' | 'probes'> {
  /** Looks at each answer, and says whether it is right. Without `id` the rule has the name of the function. */
  readonly check: AnswerCheck;
}

/** How an agent is called that a contract binds. */
export interface PromptAgentDefinition extends PromptAgentTables {
  /** A function that is given each prompt; in place of `endpoint`, `command`, `module` and `python`. */
  readonly function?: PromptAgent;
  /** Brings the agent back to its first state: a function, or `module:function` as files have it. */
  readonly resetFunction?: string | (() => unknown);
}

/** Types a contract that is made in memory; it is checked when it is loaded, like a file. */
export function defineContract(definition: ContractDefinition): ContractDefinition {
  return definition;
}
