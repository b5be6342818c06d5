import { allOf } from '../source/missing.ts';
import type { Agent } from '../types/agent.ts';
import { ANSWERER } from '../types/check-places.ts';
import { type AgentWire, createAgentWire } from './agent-wire.ts';
import { createCommandTransport } from './command-transport.ts';
import { createFunctionTransport, resetByFunction } from './function-transport.ts';
import { createHttpTransport, RESET_ENDPOINT, resetByHttp, resetRequest } from './http-transport.ts';
import { createModuleTransport } from './module-transport.ts';
import { createPythonTransport } from './python-transport.ts';
import type { Target, TargetOptions, Transport } from './target.ts';
import { UNUSABLE } from './unusable.ts';

/** Opens the way to an agent. Throws all grants that are missing, and all that keeps it from being asked as it is declared. */
export function createTarget(agent: Agent, options: TargetOptions): Target {
  const wire = createAgentWire(options);
  const key = agent.reset?.kind === 'http' ? RESET_ENDPOINT : ['reset_function'];
  const [transport, way] = allOf<[Transport, ResetWay]>(
    [
      (missing) => missing.take(() => createTransport(agent, options, wire), options.at?.(ANSWERER)),
      (missing) => missing.take(() => resetWay(agent, options, wire), options.at?.(key)),
    ],
    UNUSABLE,
  );
  const { reset } = agent;
  if (reset?.kind !== 'function') return { ...transport, reset: way.reset };
  const { called = transport } = way;
  return {
    ...transport,
    reset: async (signal) => called.invoke?.(reset, signal),
    close: async () => {
      await Promise.all([transport.close(), called === transport ? undefined : called.close()]);
    },
  };
}

/** How an agent is brought back to its first state. */
interface ResetWay {
  /** Null: nothing does, or a function of what is called. */
  readonly reset: Target['reset'];
  /** What the function is called in; absent: in the agent's own process. */
  readonly called?: Transport;
}

function resetWay(agent: Agent, options: TargetOptions, wire: AgentWire): ResetWay {
  const { reset, target } = agent;
  if (reset === null) return { reset: null };
  if (reset.kind === 'code') return { reset: resetByFunction(reset.code, agent, options) };
  if (reset.kind === 'http') {
    const request = resetRequest(reset.url, target, wire);
    // Told at once, not with the first trial.
    wire.prepare(request);
    return { reset: (signal) => resetByHttp(request, { wire, agent, signal }) };
  }
  if (target.kind === 'module' || target.kind === 'python') return { reset: null };
  // Of an agent that is no module a function of Python is meant.
  return { reset: null, called: createPythonTransport(agent, null, options) };
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
