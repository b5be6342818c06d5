import type { Command } from 'commander';
import type { GeneratedFiles } from '../../public/evidence.ts';
import type { CommandSettings } from '../../settings/setting-types.ts';
import { settingsOf } from '../setting-option.ts';
import { runOptions } from '../setting-options.ts';
import type { Terminal } from '../terminal.ts';

const EXAMPLES = `
Examples:
  passk generate family.toml --out generated
  passk generate family.toml --out generated --week 2026-W49

Exit codes: 0 written, or the same was there, 2 usage or input error.`;

/** Adds `passk generate`: writes what generators make as files, so that people can read them. Runs no trial of yours. */
export function addGenerate(program: Command, terminal: Terminal, done: (exitCode: number) => void): void {
  program
    .command('generate')
    .summary('write generated scenarios as files')
    .description('Writes the scenarios of files with [generate] as files of TOML, which load without a generator.')
    .argument('<paths...>', 'files with [generate], folders or globs')
    .requiredOption('--out <dir>', 'the folder that gets the files')
    .addHelpText('after', EXAMPLES)
    .action(async (paths: readonly string[], flags: { readonly out: string }, command: Command) => {
      done(await generate(paths, flags.out, { settings: settingsOf(command), terminal }));
    });
}

async function generate(
  paths: readonly string[],
  out: string,
  { settings, terminal }: { readonly settings: CommandSettings; readonly terminal: Terminal },
): Promise<number> {
  const { generateScenarios } = await import('../../public/evidence.ts');
  const made = await generateScenarios({ ...(await runOptions(paths, settings, terminal)), out });
  if (settings.json === true) terminal.printJson(made);
  else terminal.print(textOf(made, out));
  return 0;
}

function textOf({ sets, files }: GeneratedFiles, out: string): string {
  const lines = sets.map(({ name, asked, drawn, rejected, hash }) => {
    const thrown = rejected.filter(({ relation }) => relation === undefined).length;
    return `${name}: ${drawn - thrown} of ${asked} wanted scenarios, ${rejected.length} thrown out, hash ${hash}\n`;
  });
  const written = files.filter((one) => one.written).length;
  return `${lines.join('')}${written} files written to ${out}, ${files.length - written} were there already.\n`;
}
