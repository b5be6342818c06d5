import { type Command, Option } from 'commander';
import type { ShadowCanaryOptions } from '../../public/production.ts';
import { printDocument } from '../print-document.ts';
import { settingsOf } from '../setting-option.ts';
import { runOptions } from '../setting-options.ts';
import type { Terminal } from '../terminal.ts';
import { untilStopped } from '../until-stopped.ts';

type Done = (exitCode: number) => void;

const SHADOW_HELP = `
Each session is held once with the agents of the candidate, and its tools give what they gave in production: none is called.
A call that was never recorded ends its trial: of a tool that only reads it is a replay_miss, of any other a write that was
refused. Both are errors to a canary, which hold the candidate. What the code of an agent does by itself is not seen.

Exit codes: 0 written, 2 usage or input error, or sessions that are no recordings.

Examples:
  passk canary shadow canary.toml sessions --agents next.toml --allow-run=./desk.mjs --out shadow.jsonl
  passk canary step canary.toml shadow.jsonl`;

/** Its own flags. */
type ShadowFlags = Pick<ShadowCanaryOptions, 'out' | 'readOnly' | 'writesViolate'>;

/** Adds `passk canary shadow`. */
export function addCanaryShadow(canary: Command, terminal: Terminal, done: Done): void {
  canary
    .command('shadow')
    .summary('try the candidate on what production met, without effects')
    .description('Tries the candidate on imported sessions, and writes how it differs as outcomes of stage 0.')
    .argument('<config>', 'a TOML file with the stages')
    .argument('<sessions...>', 'sessions of `passk import`: files, folders or globs')
    .requiredOption('--out <file>', 'the outcomes, a new file')
    .addOption(
      new Option('--read-only <tool>', 'a tool that changes nothing; repeatable').argParser(
        (word: string, before: readonly string[] = []) => [...before, word],
      ),
    )
    .option('--writes-violate', 'a write that was refused is a violation, and takes the candidate back')
    .addHelpText('after', SHADOW_HELP)
    .action(
      async (
        config: string,
        sessions: readonly string[],
        // Settings stand among the flags, too.
        { out, readOnly, writesViolate }: ShadowFlags,
        command: Command,
      ) => {
        const { canary: rollouts } = await import('../../public/production.ts');
        const settings = settingsOf(command);
        const options: ShadowCanaryOptions = {
          ...(await runOptions(sessions, settings, terminal)),
          config,
          out,
          ...(readOnly !== undefined && { readOnly }),
          ...(writesViolate !== undefined && { writesViolate }),
          onOutput: terminal.relay,
        };
        const shadow = await untilStopped(terminal, (signal) => rollouts.shadow({ ...options, signal }));
        if (shadow === null) return done(130);
        await printDocument(shadow, (style) => rollouts.renderShadow(shadow, style), { settings, terminal });
        done(0);
      },
    );
}
