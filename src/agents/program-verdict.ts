import { inOwnFolder } from '../effects/granted/own-folder.ts';
import { runProgram } from '../effects/granted/run-program.ts';
import { visibleText } from '../text/visible-text.ts';
import type { CommandCheck, CommandVerdict } from '../types/sessions/session-check.ts';
import { messageOf } from '../values/message-of.ts';
import { agentEnv, agentProgram } from './agent-program.ts';
import { cutText, endText } from './program-end.ts';
import type { TargetOptions } from './target.ts';

/** Characters of a reason. */
const MOST_REASON = 500;

/** Runs a program that says by its exit code whether something is right. */
export type AskProgram = (input: string, signal: AbortSignal) => Promise<CommandVerdict>;

/**
 * A program that is a check: 0 says that all is well, other codes that it is not, with the last line it printed as the reason.
 * One that cannot be started, is ended, or ends in any other way gives no verdict. Throws `USAGE` where it is not granted.
 */
export function programVerdict(
  { command, timeoutMs, failsWith }: CommandCheck,
  options: Pick<TargetOptions, 'permissions' | 'env' | 'folder'>,
): AskProgram {
  const { folder: cwd, permissions } = options;
  const [name = '', ...args] = command;
  const program = agentProgram(name, cwd, permissions);
  const { env, scrub } = agentEnv({ ...options, proxy: null });
  return async (input, signal) => {
    try {
      const end = await inOwnFolder((folder) =>
        runProgram({ ...program, args, folder, cwd, input, timeoutMs, env, ends: [signal] }),
      );
      signal.throwIfAborted();
      const cut = cutText(end);
      if (cut !== null) return broken(end.cut === 'time' ? `it did not end within ${timeoutMs} ms` : cut);
      if (end.signal === null && end.exitCode === 0) return { kind: 'passed' };
      const isVerdict = end.signal === null && (failsWith?.includes(end.exitCode) ?? true);
      if (!isVerdict) return broken(endText(end, scrub));
      const said = lastLine(scrub(end.stdout.toString('utf8'))) ?? lastLine(scrub(end.stderr.toString('utf8')));
      return { kind: 'failed', reason: said ?? `exit code ${end.exitCode}` };
    } catch (error) {
      signal.throwIfAborted();
      return broken(`it cannot be started: ${messageOf(error)}`);
    }
  };
}

function broken(reason: string): CommandVerdict {
  return { kind: 'broken', reason };
}

/** Null: there is none that says anything. */
function lastLine(text: string): string | null {
  const line = text
    .split(/\r?\n/)
    .findLast((one) => one.trim() !== '')
    ?.trim();
  return line === undefined ? null : visibleText(line.slice(0, MOST_REASON));
}
