import type { Command } from 'commander';
import { pluginOption } from '../suite-flags.ts';
import { alignColumns } from '../align-columns.ts';
import type { Terminal } from '../terminal.ts';

interface PluginsFlags {
  readonly plugin?: readonly string[];
  readonly json?: true;
}

/** Adds `passk plugins`: every word that a scenario may name. */
export function addPlugins(program: Command, terminal: Terminal, done: (exitCode: number) => void): void {
  program
    .command('plugins')
    .summary('list node types and other plug-ins')
    .description('Lists every plug-in that a scenario may name, built in or from --plugin.')
    .addOption(pluginOption())
    .option('--json', 'print the list as JSON')
    .action(async (flags: PluginsFlags) => {
      const { listPlugins } = await import('../../index.ts');
      const plugins = await listPlugins(flags.plugin === undefined ? {} : { plugins: flags.plugin });
      if (flags.json === true) terminal.printJson(plugins);
      else terminal.print(alignColumns(plugins.map(({ kind, type, summary }) => [kind, type, summary])));
      done(0);
    });
}
