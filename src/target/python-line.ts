import type { Agent, AgentTarget } from '../types/agent.ts';
import { agentEnv, pythonProgram } from './agent-program.ts';
import { PYTHON_RUNNER } from './python-runner.ts';
import { createResidentLine } from './resident-line.ts';
import type { Line, TargetOptions } from './target.ts';

export type PythonAgent = Extract<AgentTarget, { readonly kind: 'python' }>;

/** A Python callable, in an interpreter that `--allow-run` grants. `python` null: only its functions can be called. */
export function createPythonLine({ timeoutMs }: Agent, python: PythonAgent | null, options: TargetOptions): Line {
  const { permissions, folder, root } = options;
  const spec = {
    module: python?.module ?? null,
    attribute: python?.attribute ?? null,
    langchain: python?.langchain ?? false,
    // Beside the contract, then where the suite is.
    paths: [...new Set([folder, root])],
  };
  const start = {
    program: pythonProgram(folder, permissions),
    args: ['-c', PYTHON_RUNNER, JSON.stringify(spec)],
    cwd: folder,
    ...agentEnv(options),
  };
  return createResidentLine(start, {
    timeoutMs,
    resetMessage: ({ module, attribute }) => ({ reset: { module, attribute } }),
  });
}
