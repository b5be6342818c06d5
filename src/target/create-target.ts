import type { Agent } from '../types/agent.ts';
import { type AgentWire, createAgentWire } from './agent-wire.ts';
import { createCommandLine } from './command-line.ts';
import { createHttpLine, resetByHttp, resetRequest } from './http-line.ts';
import { createModuleLine } from './module-line.ts';
import { createPythonLine } from './python-line.ts';
import type { Line, Target, TargetOptions } from './target.ts';

/** Opens the way to an agent. Throws when a grant is missing or it cannot be asked as it is declared. */
export function createTarget(agent: Agent, options: TargetOptions): Target {
  const wire = createAgentWire(options);
  const line = createLine(agent, options, wire);
  const { reset, target } = agent;
  if (reset === null) return { ...line, reset: null };
  if (reset.kind === 'http') {
    const request = resetRequest(reset.url, target, wire);
    // Told at once, not with the first trial.
    wire.prepare(request);
    return { ...line, reset: (signal) => resetByHttp(request, { wire, agent, signal }) };
  }
  // Of an agent that is no module a function of Python is meant.
  const called = line.invoke === null ? createPythonLine(agent, null, options) : line;
  return {
    ...line,
    reset: async (signal) => called.invoke?.(reset, signal),
    close: async () => {
      await Promise.all([line.close(), called === line ? undefined : called.close()]);
    },
  };
}

function createLine(agent: Agent, options: TargetOptions, wire: AgentWire): Line {
  const { target } = agent;
  switch (target.kind) {
    case 'http':
      return createHttpLine(agent, target, wire);
    case 'command':
      return createCommandLine(agent, target, options);
    case 'module':
      return createModuleLine(agent, target, options);
    case 'python':
      return createPythonLine(agent, target, options);
  }
}
