import type { Agent } from '../types/agent.ts';
import { type AgentWire, createAgentWire } from './agent-wire.ts';
import { createCommandTransport } from './command-transport.ts';
import { createFunctionTransport, resetByFunction } from './function-transport.ts';
import { createHttpTransport, resetByHttp, resetRequest } from './http-transport.ts';
import { createModuleTransport } from './module-transport.ts';
import { createPythonTransport } from './python-transport.ts';
import type { Transport, Target, TargetOptions } from './target.ts';

/** Opens the way to an agent. Throws when a grant is missing or it cannot be asked as it is declared. */
export function createTarget(agent: Agent, options: TargetOptions): Target {
  const wire = createAgentWire(options);
  const transport = createTransport(agent, options, wire);
  const { reset, target } = agent;
  if (reset === null) return { ...transport, reset: null };
  if (reset.kind === 'code') return { ...transport, reset: resetByFunction(reset.code, agent, options) };
  if (reset.kind === 'http') {
    const request = resetRequest(reset.url, target, wire);
    // Told at once, not with the first trial.
    wire.prepare(request);
    return { ...transport, reset: (signal) => resetByHttp(request, { wire, agent, signal }) };
  }
  // Of an agent that is no module a function of Python is meant.
  const called = transport.invoke === null ? createPythonTransport(agent, null, options) : transport;
  return {
    ...transport,
    reset: async (signal) => called.invoke?.(reset, signal),
    close: async () => {
      await Promise.all([transport.close(), called === transport ? undefined : called.close()]);
    },
  };
}

function createTransport(agent: Agent, options: TargetOptions, wire: AgentWire): Transport {
  const { target } = agent;
  switch (target.kind) {
    case 'http':
      return createHttpTransport(agent, target, wire);
    case 'command':
      return createCommandTransport(agent, target, options);
    case 'module':
      return createModuleTransport(agent, target, options);
    case 'function':
      return createFunctionTransport(agent, target, options);
    case 'python':
      return createPythonTransport(agent, target, options);
  }
}
