import process from 'node:process';
import type { Terminal } from '../../src/cli/terminal.ts';

/** A terminal that nobody sees, with what was printed and said on it so far. */
export function aTerminal(): { readonly terminal: Terminal; readonly text: () => string } {
  const said: string[] = [];
  const say = (text: string): void => void said.push(text);
  return {
    text: () => said.join(''),
    terminal: {
      columns: 200,
      color: false,
      errorColor: false,
      unicode: true,
      live: false,
      stderr: process.stderr,
      print: (text) => say(text),
      printJson: (value) => say(JSON.stringify(value)),
      printLargeJson: async () => undefined,
      printLines: async () => undefined,
      printData: () => undefined,
      complain: (text) => say(text),
      say,
      relay: () => undefined,
      flush: async () => undefined,
    },
  };
}
