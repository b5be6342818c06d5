import type { SessionAgent } from '../../plugin/session-agent.ts';
import type { TrialCheck } from '../../plugin/trial-check.ts';
import type { WorldModule } from '../../plugin/world-module.ts';
import type { AgentExpectedTables } from '../../types/definitions/agent-expected.ts';
import type { AgentDefinition, AgentScenarioTables, SessionTables } from '../../types/definitions/agent-scenario.ts';
import type { ContractDefinition } from './define-contract.ts';
import type { ScenarioDefinition } from './define-scenario.ts';
import type { ModuleCheckDefinition, PluginCheckDefinition } from './define-expected.ts';

/**
 * A scenario with an agent, made in memory: the keys of a file with `[agent]` in camelCase, with the same meaning and the same
 * checks. Agent, world and checks may be code of this program, which then runs on the calling thread.
 */
export interface AgentScenarioDefinition extends AgentScenarioTables {
  /**
   * The agent that is tried: a function, which is called once for each session and gives what answers the user; or a table, as
   * files have it.
   */
  readonly agent: SessionAgent | AgentDefinition;
  /** Where sessions take place and where they end. */
  readonly session?: AgentSessionDefinition;
  /** What must hold when the session has ended. */
  readonly expected?: AgentExpectedDefinition;
}

/** Where sessions take place and where they end. */
export interface AgentSessionDefinition extends SessionTables {
  /** The world, as `defineWorld` makes it, or the name of a file with one; left out: `state` and `tools` of the scenario. */
  readonly world?: string | WorldModule<object>;
}

/** What must hold when the session has ended. */
export interface AgentExpectedDefinition extends AgentExpectedTables {
  /** Functions that look at the record of a trial. One without a name of its own needs `name`. */
  readonly checks?: readonly (TrialCheck | FunctionCheckDefinition | ModuleCheckDefinition | PluginCheckDefinition)[];
}

/** A check that is a function of this program. */
export interface FunctionCheckDefinition {
  /** The function. */
  readonly check: TrialCheck;
  /** The name of the check; absent: that of the function. */
  readonly name?: string;
}

/** What a program made in place of a file, whatever it tries. */
export type MadeScenario = ScenarioDefinition | AgentScenarioDefinition | ContractDefinition;

/** Types a scenario with an agent that is made in memory; it is checked when it is loaded, like a file. */
export function defineAgentScenario(definition: AgentScenarioDefinition): AgentScenarioDefinition {
  return definition;
}
