import { loadSessionAgent } from '../../plugin/load-session-agent.ts';
import { draw, hashText, STREAM } from '../../random/draw.ts';
import { ModuleAgentInSession } from '../../sessions/module-agent.ts';
import type { SessionPlan } from '../../types/plan.ts';
import type { ModuleAgent } from '../../types/session.ts';
import type { AgentMaker } from './session-runner.ts';

export interface ModuleAgentsParts {
  readonly plan: SessionPlan;
  readonly agent: ModuleAgent;
  /** Throws where the module is not granted. */
  readonly urlOf: (file: string) => string;
}

/** Agents that are code of the user. The module is loaded once, when a session first needs it. */
export function moduleAgents({ plan, agent, urlOf }: ModuleAgentsParts): () => Promise<AgentMaker> {
  const { file, exported, system } = agent;
  const { words, scenario } = plan;
  const { tools } = scenario.subject.world;
  const load = async (): Promise<AgentMaker> => {
    const create = await loadSessionAgent({ url: urlOf(file), file, exported });
    return (trial, ending) => {
      const drawn = (key: string): number => draw(words, trial, STREAM.plugin, hashText(key)) / 0x100000000;
      return new ModuleAgentInSession({ create, system, ending, draw: drawn, tools });
    };
  };
  let loaded: Promise<AgentMaker> | null = null;
  return () => {
    loaded ??= load();
    return loaded;
  };
}
