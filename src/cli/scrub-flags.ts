import process from 'node:process';
import type { Command } from 'commander';
import type { ScrubFilesOptions } from '../public/production.ts';

/** The flags of commands that put tokens in place of personal data and secrets. */
export interface ScrubFlags {
  readonly keyEnv: string;
  readonly country?: readonly string[];
  readonly id?: readonly string[];
  readonly pattern?: readonly string[];
}

/** Adds them to a command. */
export function addScrubFlags(command: Command): Command {
  return command
    .option('--key-env <variable>', 'the variable that holds the key of the tokens', 'PASSK_SCRUB_KEY')
    .option('--country <code,…>', 'find phone numbers as these countries write them, such as DE,FR', inLists)
    .option('--id <name,…>', 'find these numbers of people, besides us_ssn, such as br_cpf', inLists)
    .option(
      '--pattern <pattern>',
      'find what this pattern takes, too; repeatable',
      (one, all: readonly string[] | undefined) => [...(all ?? []), one],
    );
}

/** What they say, as options of the library. */
export function scrubOptions({
  keyEnv,
  country = [],
  id = [],
  pattern = [],
}: ScrubFlags): Pick<ScrubFilesOptions, 'countries' | 'nationalIds' | 'patterns' | 'key'> {
  const key = process.env[keyEnv];
  return {
    countries: country,
    nationalIds: ['us_ssn', ...id],
    patterns: pattern,
    ...(key !== undefined && key !== '' && { key }),
  };
}

/** What readers must know of tokens that were made with a key of this run alone; '': they join with those of other runs. */
export function keyNote(joins: boolean, keyEnv: string): string {
  return joins
    ? ''
    : `\nThe key of these tokens is kept nowhere: they join with no other run's. Set ${keyEnv} to have the same again.\n`;
}

function inLists(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, ...text.split(',').map((one) => one.trim())];
}
