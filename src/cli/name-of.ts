import type { Command } from 'commander';

/** The words that a command is called by, such as `contract run`. */
export function nameOf(command: Command): string {
  const { parent } = command;
  return parent === null || parent.parent === null ? command.name() : `${nameOf(parent)} ${command.name()}`;
}
