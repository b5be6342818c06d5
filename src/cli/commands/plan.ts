import type { Command } from 'commander';
import { share } from '../../settings/kinds.ts';
import { settingsOf, KindOption } from '../setting-option.ts';
import { runOptions } from '../setting-options.ts';
import type { Terminal } from '../terminal.ts';
import { type CommandContext, printDocument } from '../print-document.ts';

/** Its own flags. */
interface PlanFlags {
  readonly falsePass?: number;
  readonly falseFail?: number;
}

const EXAMPLES = `
Examples:
  passk plan scenarios --trials 100
  passk plan refund.toml --gate 'pass^8 >= 0.9' --false-pass 0.01`;

/** Adds `passk plan`: shows what bars and gates could tell and how many trials they need. Runs nothing. */
export function addPlan(program: Command, terminal: Terminal, done: (exitCode: number) => void): void {
  program
    .command('plan')
    .summary('show what bars and gates can tell, without running')
    .description('Says how often true pass rates pass each bar and gate, and how many trials they need; runs nothing.')
    .argument('[paths...]', 'scenario files, folders or globs (default: the current folder)')
    .addOption(new KindOption('--false-pass <chance>', 'how often what should not pass may (default: 0.05)', share))
    .addOption(new KindOption('--false-fail <chance>', 'how often what should pass may not (default: 0.05)', share))
    .addHelpText('after', EXAMPLES)
    .action(async (paths: readonly string[], flags: PlanFlags, command: Command) =>
      done(await plan(paths, flags, { settings: settingsOf(command), terminal })),
    );
}

async function plan(
  paths: readonly string[],
  { falsePass, falseFail }: PlanFlags,
  { settings, terminal }: CommandContext,
): Promise<number> {
  const { planSuite, renderPlan } = await import('../../public/plans.ts');
  const suitePlan = await planSuite({
    ...(await runOptions(paths, settings, terminal)),
    ...(falsePass !== undefined && { falsePass }),
    ...(falseFail !== undefined && { falseFail }),
  });
  await printDocument(suitePlan, (style) => renderPlan(suitePlan, style), { settings, terminal });
  return 0;
}
