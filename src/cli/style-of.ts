import type { RenderOptions } from '../index.ts';
import type { CommandSettings } from '../settings/setting-types.ts';
import type { Terminal } from './terminal.ts';

/** How a document is rendered for this terminal, by what the command line says of colour. */
export function styleOf(
  { color }: Pick<CommandSettings, 'color'>,
  terminal: Pick<Terminal, 'columns' | 'unicode' | 'color'>,
): Pick<RenderOptions, 'columns' | 'unicode' | 'color'> {
  const { columns, unicode } = terminal;
  return { columns, unicode, color: color !== false && terminal.color };
}
