import type { Agent, AgentTarget } from '../types/agent.ts';
import type { Json } from '../types/json.ts';
import { agentEnv, pythonProgram } from './agent-program.ts';
import { PYTHON_RUNNER } from './python-runner.ts';
import { createResidentTransport } from './resident-transport.ts';
import { filledMessage } from './session-places.ts';
import type { Transport, TargetOptions } from './target.ts';

export type PythonAgent = Extract<AgentTarget, { readonly kind: 'python' }>;

/** A Python callable, in an interpreter that `--allow-run` grants. `python` null: only its functions can be called. */
export function createPythonTransport(
  { timeoutMs }: Agent,
  python: PythonAgent | null,
  options: TargetOptions,
): Transport {
  const { permissions, folder, root } = options;
  const spec = {
    module: python?.module ?? null,
    attribute: python?.attribute ?? null,
    langchain: python?.langchain ?? false,
    inputKey: python?.inputKey ?? null,
    // Beside the contract, then where the suite is.
    paths: [...new Set([folder, root])],
  };
  const start = {
    program: pythonProgram(folder, permissions),
    args: ['-c', PYTHON_RUNNER, JSON.stringify(spec)],
    cwd: folder,
    ...agentEnv(options),
  };
  return createResidentTransport(start, {
    timeoutMs,
    resetMessage: ({ module, attribute }) => ({ reset: { module, attribute } }),
    sessionMessage: (prompt, session) => {
      const { kind, text } = filledMessage(prompt, python?.requestTemplate, session);
      // Data where the template makes data, as callables want it.
      return { prompt: kind === 'json' ? dataOf(text) : text };
    },
  });
}

function dataOf(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}
