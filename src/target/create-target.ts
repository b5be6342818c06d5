import type { Agent } from '../types/agent.ts';
import { type AgentWire, createAgentWire, type Grants } from './agent-wire.ts';
import { createHttpLine, resetByHttp, resetRequest } from './http-line.ts';
import type { Line, ProxySeat, Target } from './target.ts';

export interface TargetOptions extends Grants {
  /** Absolute folder of the contract's file, which relative names of the agent start from. */
  readonly folder: string;
  /** Absolute folder of the suite. */
  readonly root: string;
  /** What an agent that passk starts is pointed at; null: its own calls are out of sight. */
  readonly seat: ProxySeat | null;
}

/** Opens the way to an agent. Throws when a grant is missing or it cannot be asked as it is declared. */
export function createTarget(agent: Agent, options: TargetOptions): Target {
  const wire = createAgentWire(options);
  const line = createLine(agent, options, wire);
  return { ...line, reset: resetOf(agent, line, wire) };
}

function createLine(agent: Agent, options: TargetOptions, wire: AgentWire): Line {
  const { target } = agent;
  switch (target.kind) {
    case 'http':
      return createHttpLine(agent, target, wire);
    default:
      throw new Error(`not yet ${options.root}`);
  }
}

function resetOf({ reset, target, timeoutMs }: Agent, line: Line, wire: AgentWire): Target['reset'] {
  if (reset === null) return null;
  if (reset.kind === 'http') {
    const request = resetRequest(reset.url, target, wire);
    return (signal) => resetByHttp(request, { wire, timeoutMs, signal });
  }
  const { invoke } = line;
  return invoke === null ? null : (signal) => invoke(reset, signal);
}
