import type { Command } from 'commander';
import { alignColumns } from '../align-columns.ts';
import { settingsOf } from '../setting-option.ts';
import { sameOptions } from '../setting-options.ts';
import type { Terminal } from '../terminal.ts';

/** Adds `passk plugins`: lists every word that a file may name. */
export function addPlugins(program: Command, terminal: Terminal, done: (exitCode: number) => void): void {
  program
    .command('plugins')
    .summary('list node types and other plug-ins')
    .description(
      'Lists every plug-in, built in or from --plugin: what scenarios, contracts and specs of models may name, reporters, runners and validators.',
    )
    .action(async (_, command: Command) => {
      const settings = settingsOf(command);
      const { listPlugins } = await import('../../public/plans.ts');
      const plugins = await listPlugins(sameOptions(settings));
      if (settings.json === true) terminal.printJson(plugins);
      else terminal.print(alignColumns(plugins.map(({ kind, type, summary }) => [kind, type, summary])));
      done(0);
    });
}
