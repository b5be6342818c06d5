import type { LoadedAgent } from '../../plugin/load-session-agent.ts';
import { draw, hashText, STREAM } from '../../random/draw.ts';
import { ModuleAgentInSession } from '../../sessions/module-agent.ts';
import type { SessionPlan } from '../../types/plan.ts';
import type { AgentMaker } from './session-runner.ts';

/** Agents that are code of the user, which `load` gives: asked once, when a session first needs it. */
export function codedAgents(
  plan: SessionPlan,
  system: string | null,
  load: () => LoadedAgent | Promise<LoadedAgent>,
): () => Promise<AgentMaker> {
  const { words, scenario } = plan;
  const { tools } = scenario.subject.world;
  const makerOf = async (): Promise<AgentMaker> => {
    const agent = await load();
    return (trial, ending) => {
      const drawn = (key: string): number => draw(words, trial, STREAM.plugin, hashText(key)) / 0x100000000;
      return new ModuleAgentInSession({ ...agent, system, ending, draw: drawn, tools });
    };
  };
  let loaded: Promise<AgentMaker> | null = null;
  return () => {
    loaded ??= makerOf();
    return loaded;
  };
}
