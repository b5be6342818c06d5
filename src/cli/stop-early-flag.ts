import { type Command, InvalidArgumentError, Option } from 'commander';
import type { RunSuiteOptions } from '../index.ts';

export interface StopEarlyFlags {
  readonly stopEarly?: NonNullable<RunSuiteOptions['stopEarly']>;
}

const FLAG = '--stop-early';

/** Adds `--stop-early`. */
export function addStopEarlyFlag(command: Command): Command {
  const option = new Option(
    `${FLAG} <rule>`,
    'end a scenario when its verdict is settled, or when a test (sprt) decides',
  );
  option.argParser(parseRule);
  // Only `=` binds a rule: what follows the bare flag is a path to scenarios.
  option.flags = `${FLAG}[=sprt]`;
  return command.addOption(option);
}

/** A bare `--stop-early` means `curtail`; the parser would take the next word for its rule. */
export function withStopRule(args: readonly string[]): readonly string[] {
  const end = args.indexOf('--');
  return args.map((arg, index) => ((end < 0 || index < end) && arg === FLAG ? `${arg}=curtail` : arg));
}

/** The library option that the flag stands for. */
export function stopEarlyOption({ stopEarly }: StopEarlyFlags): Pick<RunSuiteOptions, 'stopEarly'> {
  return stopEarly === undefined ? {} : { stopEarly };
}

function parseRule(text: string): NonNullable<RunSuiteOptions['stopEarly']> {
  const word = text.trim().toLowerCase();
  if (word === 'curtail' || word === 'sprt') return word;
  if (['1', 'true', 'yes', 'on'].includes(word)) return 'curtail';
  if (['0', 'false', 'no', 'off'].includes(word)) return false;
  throw new InvalidArgumentError('Expected curtail or sprt.');
}
