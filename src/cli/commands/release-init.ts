import type { Command } from 'commander';
import { settingsOf } from '../setting-option.ts';
import { selectOptions } from '../setting-options.ts';
import type { Terminal } from '../terminal.ts';
import type { CommandContext } from '../print-document.ts';

interface InitFlags {
  readonly prior?: string;
  readonly dryRun?: true;
}

const EXAMPLES = `
Examples:
  passk release init --dry-run
  passk release init scenarios --prior release.json`;

/** Adds `passk release init`: writes first settings for the releases of a folder. */
export function addReleaseInit(release: Command, terminal: Terminal, done: (exitCode: number) => void): void {
  release
    .command('init')
    .summary('write first settings for releases, with comments')
    .description('Adds a commented [release] for what is found to passk.toml. Never overwrites settings for releases.')
    .argument('[paths...]', 'scenario files, folders or globs (default: the current folder)')
    .option('--prior <record>', 'a record of the release before, to suggest what a success may cost')
    .option('--dry-run', 'print them, and write nothing')
    .addHelpText('after', EXAMPLES)
    .action(async (paths: readonly string[], flags: InitFlags, command: Command) =>
      done(await init(paths, flags, { settings: settingsOf(command), terminal })),
    );
}

async function init(
  paths: readonly string[],
  { prior, dryRun = false }: { readonly prior?: string; readonly dryRun?: boolean },
  { settings, terminal }: CommandContext,
): Promise<number> {
  const { initRelease } = await import('../../public/releases.ts');
  const { file, text, isWritten } = await initRelease({
    ...selectOptions(paths, settings),
    ...(prior !== undefined && { prior }),
    dryRun,
  });
  if (!isWritten) terminal.print(text);
  else {
    terminal.print(`Wrote [release] to ${file}.

Next:
  passk release keygen --out release.key
  passk release run --key release.key --out release.json
  passk release explain release.json
`);
  }
  return 0;
}
