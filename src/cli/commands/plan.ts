import { type Command, Option } from 'commander';
import { addModelFlags, type LiveFlags, liveOptions } from '../live-flags.ts';
import { parseRate } from '../parse-number.ts';
import { addPermissionFlags, type PermissionFlags, permissionOptions } from '../permission-flags.ts';
import { addPriceFlags, type PriceFlags, priceOptions } from '../price-flags.ts';
import { addSelectFlags, gateOption, type SelectFlags, selectOptions, wholeOption } from '../suite-flags.ts';
import { addStopEarlyFlag, type StopEarlyFlags, stopEarlyOption } from '../stop-early-flag.ts';
import type { Terminal } from '../terminal.ts';

interface PlanFlags extends SelectFlags, PermissionFlags, LiveFlags, PriceFlags, StopEarlyFlags {
  readonly trials?: number;
  readonly minPassRate?: number;
  readonly gate?: readonly string[];
  readonly falsePass?: number;
  readonly falseFail?: number;
  readonly keepGoing?: true;
  readonly json?: true;
  readonly verbose?: true;
}

const EXAMPLES = `
Examples:
  passk plan scenarios --trials 100
  passk plan refund.toml --gate 'pass^8 >= 0.9' --false-pass 0.01`;

/** Adds `passk plan`: what bars and gates could tell, and the trials they need, without running. */
export function addPlan(program: Command, terminal: Terminal, done: (exitCode: number) => void): void {
  const command = program
    .command('plan')
    .summary('show what bars and gates can tell, without running')
    .description('Says how often true pass rates pass each bar and gate, and how many trials they need; runs nothing.')
    .argument('[paths...]', 'scenario files, folders or globs (default: the current folder)')
    .addOption(wholeOption('-k, --trials <n>', 'trials of every scenario, instead of its own number', 1))
    .addOption(rateOption('--min-pass-rate <rate>', 'the pass rate from 0 to 1 that every scenario must reach'))
    .addOption(gateOption())
    .addOption(rateOption('--false-pass <chance>', 'how often what should not pass may (default: 0.05)'))
    .addOption(rateOption('--false-fail <chance>', 'how often what should pass may not (default: 0.05)'));
  addStopEarlyFlag(command);
  addPermissionFlags(command);
  addPriceFlags(addModelFlags(command));
  addSelectFlags(command)
    .option('--keep-going', 'plan the other scenarios when some cannot be loaded')
    .option('--json', 'print the plan as JSON')
    .option('-v, --verbose', 'name every scenario')
    .addHelpText('after', EXAMPLES)
    .action(async (paths: readonly string[], flags: PlanFlags) => done(await plan(paths, flags, terminal)));
}

async function plan(paths: readonly string[], flags: PlanFlags, terminal: Terminal): Promise<number> {
  const { planSuite, renderPlan } = await import('../../index.ts');
  const planned = await planSuite({
    ...selectOptions(paths, flags),
    ...permissionOptions(flags),
    ...(await liveOptions(flags)),
    ...(await priceOptions(flags)),
    ...(flags.trials !== undefined && { trials: flags.trials }),
    ...(flags.minPassRate !== undefined && { minPassRate: flags.minPassRate }),
    ...(flags.gate !== undefined && { gates: flags.gate }),
    ...(flags.falsePass !== undefined && { falsePass: flags.falsePass }),
    ...(flags.falseFail !== undefined && { falseFail: flags.falseFail }),
    ...stopEarlyOption(flags),
    ...(flags.keepGoing === true && { keepGoing: true }),
  });
  const { columns, unicode } = terminal;
  const style = { columns, unicode, color: flags.color && terminal.color, verbose: flags.verbose === true };
  if (flags.json === true) terminal.printJson(planned);
  else terminal.print(renderPlan(planned, style), style);
  return 0;
}

function rateOption(flags: string, description: string): Option {
  return new Option(flags, description).argParser(parseRate);
}
