import { inOwnFolder, sweepLeftovers } from '../effects/granted/own-folder.ts';
import { MOST_OUTPUT, type ProgramEnd, runProgram } from '../effects/granted/run-program.ts';
import { TextTail } from '../effects/granted/text-tail.ts';
import type { Agent, AgentTarget } from '../types/agent.ts';
import { agentProgram, agentEnv } from './agent-program.ts';
import { callWithin } from './call-within.ts';
import type { Said } from './read-answer.ts';
import type { Transport, TargetOptions } from './target.ts';

export type CommandAgent = Extract<AgentTarget, { readonly kind: 'command' }>;

/** A program started anew for each prompt, which it reads on its standard input. No shell is between. */
export function createCommandTransport(
  { timeoutMs }: Agent,
  { command }: CommandAgent,
  options: TargetOptions,
): Transport {
  const { folder: cwd, permissions } = options;
  const [name = '', ...args] = command;
  const program = agentProgram(name, cwd, permissions);
  const { env, scrub } = agentEnv(options);
  let swept: Promise<void> | null = null;
  return {
    url: null,
    invoke: null,
    call: async (prompt, { signal }) => {
      swept ??= sweepLeftovers();
      await swept;
      return callWithin({ timeoutMs, signal }, (until) =>
        inOwnFolder(async (folder) => {
          const run = { ...program, args, folder, cwd, env, input: prompt, timeoutMs, ends: [until] };
          return saidBy(await runProgram(run), scrub);
        }),
      );
    },
    close: async () => undefined,
  };
}

function saidBy({ cut, exitCode, signal, stdout, stderr, isGone }: ProgramEnd, scrub: (text: string) => string): Said {
  if (!isGone) return { error: 'a process that it started cannot be ended' };
  if (cut === 'output') return { error: `it printed more than ${MOST_OUTPUT} bytes` };
  if (cut !== null) return { error: 'it did not end, and was ended' };
  if (exitCode === 0) return { text: scrub(stdout.toString('utf8').replace(/\r?\n$/, '')) };
  const tail = new TextTail();
  tail.add(stderr);
  const last = tail.text(scrub);
  const end = signal === null ? `it ended with exit code ${exitCode}` : `it was ended by signal ${signal}`;
  return { error: last === '' ? end : `${end}: ${last}` };
}
