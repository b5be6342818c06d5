import type { RenderOptions } from '../public/types.ts';
import type { CommandSettings } from '../settings/setting-types.ts';
import type { Terminal } from './terminal.ts';

/** How a document is rendered for a terminal. */
export type DocumentStyle = Pick<RenderOptions, 'columns' | 'unicode' | 'color' | 'verbose'>;

/** The style for this terminal, by what the command line says of colour and detail. */
export function styleOf(
  { color, verbose }: Pick<CommandSettings, 'color' | 'verbose'>,
  terminal: Pick<Terminal, 'columns' | 'unicode' | 'color'>,
): DocumentStyle {
  const { columns, unicode } = terminal;
  return { columns, unicode, color: color !== false && terminal.color, verbose: verbose === true };
}
