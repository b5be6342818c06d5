import type { CommandSettings } from '../settings/setting-types.ts';
import { type DocumentStyle, styleOf } from './style-of.ts';
import type { Terminal } from './terminal.ts';

/** What a command is run with. */
export interface CommandContext {
  readonly settings: CommandSettings;
  readonly terminal: Terminal;
}

/** Prints what a command has made: with `--json` as JSON, else as the text that `render` makes of it. */
export async function printDocument(
  document: object,
  render: (style: DocumentStyle) => string,
  { settings, terminal }: CommandContext,
): Promise<void> {
  if (settings.json === true) return terminal.printLargeJson(document);
  const style = styleOf(settings, terminal);
  terminal.print(render(style), style);
}
