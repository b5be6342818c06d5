import { type Command, Option } from 'commander';
import type { PriceRunOptions } from '../../public/releases.ts';
import { measure, share, wholeNumber } from '../../settings/kinds.ts';
import { RECORDINGS } from '../../settings/rows/recordings.ts';
import { settingsOf, KindOption } from '../setting-option.ts';
import { runOptions, sameOptions } from '../setting-options.ts';
import type { Terminal } from '../terminal.ts';
import { printDocument } from '../print-document.ts';

const HELP = `
A run is a JSON report of passk, a release record with its trials beside it, or recorded runs of other programs. A report
tells models and cached tokens where it was made with --ledger. Costs count validation, regression, and what says nothing.

Inputs of --range: input_price, output_price and cached_price, as factors; cache_share, batch_share, reserved_share,
retries and success_rate.

Exit codes: 0 priced, and kept --max-cost-per-success where it is given, 1 a success costs more, 2 usage or input error,
3 not enough evidence: something has no price, 4 the record does not hold.

Examples:
  passk price report.json --rates rates.toml
  passk price release.json --rates next-year.toml --cache-share 0.8 --batch-share 0.5
  passk price runs/ --rates rates.toml --attempts 3 --range cache_share=0:0.9 --max-cost-per-success 0.25`;

/** Its own flags. */
interface PriceFlags
  extends Pick<
    PriceRunOptions,
    | 'rates'
    | 'cacheShare'
    | 'batchShare'
    | 'reservedShare'
    | 'utilisation'
    | 'retries'
    | 'attempts'
    | 'swing'
    | 'maxCostPerSuccess'
  > {
  readonly range?: readonly string[];
  readonly format: 'text' | 'markdown';
  readonly from?: string;
}

/** Adds `passk price`: says what a finished run would have cost under other rates. */
export function addPrice(program: Command, terminal: Terminal, done: (exitCode: number) => void): void {
  program
    .command('price')
    .summary('price a finished run under other rates')
    .description('Says what a finished run would have cost under other rates, and what moves the cost of a success.')
    .argument('<run>', 'a JSON report, a release record, or recorded runs')
    .requiredOption('--rates <file>', 'the prices')
    .addOption(new KindOption('--cache-share <share>', 'of input, read from the cache', share))
    .addOption(new KindOption('--batch-share <share>', 'of requests, sent in a batch', share))
    .addOption(
      new KindOption('--reserved-share <share>', 'of tokens of models with a reservation, served by it', share),
    )
    .addOption(new KindOption('--utilisation <share>', 'how much of a reservation is used', share))
    .addOption(new KindOption('--retries <number>', 'retries per run, in place of those measured', measure))
    .addOption(new KindOption('--attempts <n>', 'attempts at a task until one succeeds (default: 1)', wholeNumber(1)))
    .addOption(new KindOption('--swing <share>', 'how far inputs of the plot go (default: 0.2)', share))
    .addOption(
      new Option('--range <input=low:high>', 'how far one input goes instead; repeatable').argParser(
        (word: string, before: readonly string[] = []) => [...before, word],
      ),
    )
    .addOption(new KindOption('--max-cost-per-success <usd>', 'the most that a success may cost', measure))
    .addOption(new Option('--format <name>', 'what is printed').choices(['text', 'markdown']).default('text'))
    .option('--from <name>', 'the format of recorded runs (default: told by what stands in them)')
    .addHelpText('after', HELP)
    .action(async (run: string, flags: PriceFlags, command: Command) =>
      done(await price(run, flags, { command, terminal })),
    );
}

async function price(
  run: string,
  flags: PriceFlags,
  { command, terminal }: { readonly command: Command; readonly terminal: Terminal },
): Promise<number> {
  const { parseRanges, priceExitCode, priceRun, renderPrice, renderPriceMarkdown } = await import(
    '../../public/releases.ts'
  );
  const settings = settingsOf(command);
  const { plugins } = await runOptions([], settings, terminal);
  const { range, format, from, rates, swing, maxCostPerSuccess, attempts } = flags;
  const { cacheShare = null, batchShare = null, reservedShare = null, utilisation = null, retries = null } = flags;
  const report = await priceRun({
    ...sameOptions(settings, RECORDINGS),
    ...(plugins !== undefined && { plugins }),
    ...(from !== undefined && { format: from }),
    ...(range !== undefined && { ranges: parseRanges(range) }),
    ...(swing !== undefined && { swing }),
    ...(attempts !== undefined && { attempts }),
    ...(maxCostPerSuccess !== undefined && { maxCostPerSuccess }),
    ...{ cacheShare, batchShare, reservedShare, utilisation, retries },
    run,
    rates,
    onOutput: terminal.relay,
  });
  if (format === 'markdown' && settings.json !== true) terminal.print(renderPriceMarkdown(report));
  else await printDocument(report, (style) => renderPrice(report, style), { settings, terminal });
  return priceExitCode(report);
}
