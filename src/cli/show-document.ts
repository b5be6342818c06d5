import type { CommandSettings } from '../settings/setting-types.ts';
import { styleOf } from './style-of.ts';
import type { Terminal } from './terminal.ts';

/** A document as JSON where that is asked for, else as text for people. */
export async function showDocument(
  value: object,
  render: () => string,
  { settings, terminal }: { readonly settings: CommandSettings; readonly terminal: Terminal },
): Promise<void> {
  if (settings.json === true) await terminal.printLargeJson(value);
  else terminal.print(render(), verboseStyle(settings, terminal));
}

/** How text is shown, with details where they are asked for. */
export function verboseStyle(settings: CommandSettings, terminal: Terminal) {
  return { ...styleOf(settings, terminal), verbose: settings.verbose === true };
}
