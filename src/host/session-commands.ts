import path from 'node:path';
import { PasskError } from '../errors.ts';
import type { HostFunction } from '../pool/host-functions.ts';
import { type AskProgram, programVerdict } from '../agents/program-verdict.ts';
import type { Json } from '../types/json.ts';
import type { RunPlan, ScenarioPlan } from '../types/plan.ts';
import { COMMAND_CALL, COMMANDS_AT_ONCE, type CommandCallPayload } from '../types/sessions/session-check.ts';
import { runsCommands } from '../types/subjects.ts';
import type { Agents } from './agent-functions.ts';
import type { AgentServices } from './open-connections.ts';
import { Missing } from '../source/missing.ts';
import { Permits } from './permits.ts';

type CommandServices = Pick<AgentServices, 'permissions' | 'env' | 'root' | 'filePlaces'>;

/**
 * Gets the programs ready that look at sessions when they have ended. All of them are run here, on the host. Throws `USAGE` with
 * everything that is missing of grants.
 */
export function openSessionCommands(plan: RunPlan, services: CommandServices): Agents {
  const missing = new Missing();
  const programs = new Map(
    plan.scenarios
      .filter(runsCommands)
      .map((one): readonly [number, readonly AskProgram[]] => [one.index, programsOf(one, services, missing)]),
  );
  missing.refuse();
  const permits = new Permits(COMMANDS_AT_ONCE);
  const call: HostFunction = async (value, signal) => {
    // Made by the runner of sessions, so the shape is known.
    const { scenario, check, input } = value as unknown as CommandCallPayload;
    const ask = programs.get(scenario)?.[check];
    if (ask === undefined) throw new PasskError('INTERNAL', 'A check names no planned program.');
    await permits.enter(signal);
    try {
      return (await ask(input, signal)) as unknown as Json;
    } finally {
      permits.leave();
    }
  };
  return {
    functions: { [COMMAND_CALL]: call },
    notices: () => ({ facts: {}, issues: [] }),
    close: () => Promise.resolve(),
  };
}

function programsOf(
  { scenario }: ScenarioPlan,
  { root, filePlaces, ...services }: CommandServices,
  missing: Missing,
): readonly AskProgram[] {
  const folder = path.dirname(path.resolve(root, scenario.file));
  return (scenario.expected.commands ?? []).flatMap((command, index) => {
    const at = filePlaces?.ofValue(scenario, ['expected', 'commands', index, 'command']);
    return missing.take(() => programVerdict(command, { ...services, folder }), at) ?? [];
  });
}
