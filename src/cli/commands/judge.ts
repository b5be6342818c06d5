import { type Command, InvalidArgumentError, Option } from 'commander';
import type { RunSuiteOptions } from '../../public/suites.ts';
import { MODELS } from '../../settings/rows/models.ts';
import { share, wholeNumber } from '../../settings/kinds.ts';
import { agreedSettings } from '../agreed-settings.ts';
import { untilInterrupt } from '../interrupt.ts';
import { type CommandContext, printDocument } from '../print-document.ts';
import { permissionOptions, sameOptions } from '../setting-options.ts';
import { KindOption, settingsOf } from '../setting-option.ts';
import type { Terminal } from '../terminal.ts';

const TUNNEL_EXAMPLES = `
Faults of judges that compare, in log-odds: position, length, style, family; shares: noise, garbled. What they are
shown: skill, edge, spread, longer, styled, kin. Of judges of single answers: sensitivity, specificity, passing, labels.
A protocol is plain, or words with commas between them: swap, length, repeats=3, ensemble=3; for single answers
correct and predict. Nobody is asked; with --server the same judges stand behind an address of this machine.
With --judge a judge of passk.toml is asked about 50 pairs, or answers, of passk's own; that costs.

Exit codes: 0 judged, 2 usage error.

Examples:
  passk judge tunnel                                     every built-in judge under every protocol
  passk judge tunnel --bias position=0.4 --bias longer=1 --bias length=0.5
  passk judge tunnel --bias edge=0.5 --protocol swap,repeats=3 --pairs 200
  passk judge tunnel --server --bias position=1 --pairs 2000 --fault limited=0.01
  passk judge tunnel --judge better --protocol plain --protocol swap --max-cost 1
  passk judge tunnel --json > tunnel.json`;

type Done = (exitCode: number) => void;

/** Flags of `judge tunnel` alone. */
interface TunnelFlags {
  readonly seed?: number;
  readonly pairs?: number;
  readonly trials?: number;
  readonly bias?: Readonly<Record<string, number>>;
  readonly protocol?: readonly string[];
  readonly server?: boolean;
  readonly judge?: string;
  readonly fault?: Readonly<Record<string, number>>;
}

/** Adds `passk judge`: puts judges on trial. */
export function addJudge(program: Command, terminal: Terminal, done: Done): void {
  const judge = program
    .command('judge')
    .summary('put judges on trial')
    .description('Measures what judges get wrong, and what ways to ask them make good.');
  addCalibrate(judge, terminal, done);
  judge
    .command('tunnel')
    .summary('try protocols on fake judges whose faults are known')
    .description('Says what a protocol recovers of the truth from fake judges with known biases, noise and faults.')
    .addOption(new KindOption('--pairs <n>', 'pairs or answers of each evaluation (default: 2000)', wholeNumber(1)))
    .addOption(new KindOption('--trials <n>', 'evaluations behind each coverage (default: 100)', wholeNumber(1)))
    .addOption(new KindOption('--seed <n>', 'the same seed gives the same numbers (default: 0)', wholeNumber(0)))
    .addOption(
      new Option('--bias <word=number>', 'a judge of your own, in place of the built-in ones; repeatable').argParser(
        parseBias,
      ),
    )
    .addOption(
      new Option('--protocol <words>', 'a protocol of your own, in place of the built-in ones; repeatable').argParser(
        (words: string, before: readonly string[] = []) => [...before, words],
      ),
    )
    .option('--judge <name>', 'a judge of passk.toml beside the fake ones; it is asked, and costs')
    .option('--server', 'ask over HTTP, as real models are asked (default: 100 pairs, one evaluation)')
    .addOption(
      new Option('--fault <word=share>', 'with --server: limited, failing, malformed or cut; repeatable').argParser(
        parseBias,
      ),
    )
    .addHelpText('after', TUNNEL_EXAMPLES)
    .action(async (flags: TunnelFlags, command: Command) =>
      done(await runTunnel(flags, { settings: settingsOf(command), terminal, command })),
    );
  addServe(judge, terminal, done);
}

const SERVE_EXAMPLES = `
The model of a request says which judge answers: fair, or faults as in position=1,noise=0.1. Besides those of the tunnel
there are limited (429), failing (500), malformed and cut for the way, and prose, fenced, empty, contradictory, truncated,
foreign and huge for what is said. What an answer is worth stands in its text: [[quality=1 length=0.5 styled=1 kin=1]], or
[[good=1]] where answers are judged one by one.

Example:
  passk judge serve --port 8788
                    OPENAI_BASE_URL=http://127.0.0.1:8788/v1, and the model position=1`;

function addServe(judge: Command, terminal: Terminal, done: Done): void {
  judge
    .command('serve')
    .summary('serve fake judges to code of your own')
    .description('Speaks chat completions on this machine, streamed or not, and judges with known faults until Ctrl-C.')
    .addOption(new KindOption('--port <n>', 'port to listen on, 0 for any (default: 8788)', wholeNumber(0)))
    .addOption(new KindOption('--seed <n>', 'the same seed gives the same answers (default: 0)', wholeNumber(0)))
    .addHelpText('after', SERVE_EXAMPLES)
    .action(async ({ port = SERVED_PORT, seed = 0 }: { readonly port?: number; readonly seed?: number }) => {
      const { startFakeJudge } = await import('../../public/judges.ts');
      const server = await startFakeJudge({ port, seed });
      try {
        terminal.say(`fake judges listen on ${server.url}; Ctrl-C ends it.`);
        await untilInterrupt();
      } finally {
        await server.close();
      }
      terminal.print(`${server.asked()} questions\n`);
      done(0);
    });
}

const SERVED_PORT = 8788;

const CALIBRATE_EXAMPLES = `
Rows are in JSON Lines or CSV: human and judge are pass or fail, id tells items apart, criterion what was asked. In place
of judge a row may have answer and mark, as the judge gave them, which are read again. A row without a human label is
one that only the judge has seen. Rows of --probes have a probe and its verdicts: "length" with pass fail is a verdict on
an answer, and on the same answer padded. With --ask rows have prompt and response (and over, for a judge that compares, context, for one that verifies),
and a judge of passk.toml is asked about each, and about 100 of them padded, restyled, asked again and with attacks.
A calibration is pinned to the judge, the prompt and the rubric.

Exit codes: 0 calibrated, 1 advisory: labels or probes show that the judge misses a bar, 2 usage or input error,
3 not enough evidence: labels are too few or of one kind, or with --check the calibration is stale.

Examples:
  passk judge calibrate labels.csv --judge gpt-4.1-2025-04-14 --rubric rubric.toml --out judge.calibration.json
  passk judge calibrate labels.jsonl --judge kindness --ask --max-cost 2 --out kindness.calibration.json
  passk judge calibrate --check judge.calibration.json --judge gpt-4.1-2025-04-14 --rubric rubric.toml`;

interface JudgeContext extends CommandContext {
  readonly command: Command;
}

/** Flags of `judge calibrate` alone. */
interface CalibrateFlags {
  readonly judge: string;
  readonly prompt?: string;
  readonly rubric?: string;
  readonly ask?: true;
  readonly probes?: readonly string[];
  readonly sampleOf?: string;
  readonly minLabels?: number;
  readonly minKappa?: number;
  readonly out?: string;
  readonly check?: string;
}

function addCalibrate(judge: Command, terminal: Terminal, done: Done): void {
  judge
    .command('calibrate')
    .summary('measure a judge against labels of people')
    .description('Says what a judge gets right by labels of people, or whether a calibration still holds.')
    .argument('[labels...]', 'files with labels of people and verdicts of the judge')
    .requiredOption('--judge <name>', 'a judge of passk.toml, or the name of any other, with its version')
    .option('--prompt <file>', 'the prompt it is asked with')
    .option('--rubric <file>', 'the rubric it judges by')
    .option('--sample-of <scenario>', 'labels are a random sample of the trials of this scenario')
    .option('--ask', 'ask the judge about the responses of the labels, and about variants of them; it costs')
    .option('--probes <files...>', 'verdicts on probes: position, length, style, family, noise, attacks')
    .addOption(new KindOption('--min-labels <n>', 'labels of each kind (default: 50)', wholeNumber(1)))
    .addOption(new KindOption('--min-kappa <n>', 'for the lower end of kappa (default: 0.6)', share))
    .option('--out <file>', 'where the calibration is written')
    .option('--check <calibration>', 'say whether this calibration is of this judge, prompt and rubric')
    .addHelpText('after', CALIBRATE_EXAMPLES)
    .action(async (labels: readonly string[], flags: CalibrateFlags, command: Command) => {
      if (flags.ask !== true) await refuseAskingFlags(command);
      const run = flags.check === undefined ? calibrate : checkCalibration;
      done(await run(labels, flags, { settings: settingsOf(command), terminal, command }));
    });
}

/** Throws `USAGE` for flags that only say how a judge is asked. */
async function refuseAskingFlags(command: Command): Promise<void> {
  const flag = command.options.find(
    (option) =>
      (option.attributeName() in ASK_SETTINGS || option.attributeName().startsWith('allow')) &&
      command.getOptionValueSource(option.attributeName()) === 'cli',
  );
  if (flag === undefined) return;
  const { PasskError } = await import('../../public/suites.ts');
  throw new PasskError('USAGE', `${flag.long} says how a judge is asked, and nobody is asked without --ask.`, {
    hint: `Add --ask, or leave ${flag.long} out.`,
  });
}

async function calibrate(
  labels: readonly string[],
  { out, check: _, ask, ...flags }: CalibrateFlags,
  context: JudgeContext,
): Promise<number> {
  const { writeFileWhole } = await import('../../public/suites.ts');
  const { calibrateJudge, renderJudgeCalibration } = await import('../../public/judges.ts');
  const { settings } = context;
  const asking = ask === true && { ask: askingOf(settings) };
  const calibration = await calibrateJudge({ ...flags, ...(await configured(context, ask)), ...asking, labels });
  if (out !== undefined) {
    await writeFileWhole(out, new TextEncoder().encode(`${JSON.stringify(calibration, null, 2)}\n`));
  }
  await printDocument(calibration, (style) => renderJudgeCalibration(calibration, style), context);
  return { calibrated: 0, advisory: 1, insufficient: 3 }[calibration.verdict];
}

/** Settings by which a judge is asked. */
const ASK_SETTINGS = {
  maxCost: MODELS.maxCost,
  maxTokens: MODELS.maxTokens,
  cache: MODELS.cache,
  record: MODELS.record,
  replay: MODELS.replay,
};

/** Budget, answers kept, cassette and grants of whoever asks a judge. */
function askingOf(settings: CommandContext['settings']) {
  return { ...sameOptions(settings, ASK_SETTINGS), ...permissionOptions(settings) };
}

/** Judges of the configuration, and the models that they ask. Where nobody is asked, nobody has to agree. */
async function configured(
  { command, terminal }: JudgeContext,
  asks = false,
): Promise<Pick<RunSuiteOptions, 'judges' | 'models'>> {
  const config = await agreedSettings(command, { uses: asks ? ['judges', 'models'] : [], terminal });
  const { judges, models } = config?.values ?? {};
  return { ...(judges !== undefined && { judges }), ...(models !== undefined && { models }) };
}

async function checkCalibration(
  labels: readonly string[],
  { check: file = '', judge, prompt, rubric }: CalibrateFlags,
  context: JudgeContext,
): Promise<number> {
  const { PasskError } = await import('../../public/suites.ts');
  const { readCalibration, staleParts } = await import('../../public/judges.ts');
  if (labels.length > 0) {
    throw new PasskError('USAGE', '--check looks at a calibration, not at labels.', { hint: 'Leave one of them out.' });
  }
  const calibration = readCalibration(file);
  const stale = staleParts(calibration, {
    ...(await configured(context)),
    judge,
    ...(prompt !== undefined && { prompt }),
    ...(rubric !== undefined && { rubric }),
  });
  const { verdict } = calibration;
  const text = stale.length === 0 ? `${verdict}: nothing has changed` : `stale: another ${stale.join(', another ')}`;
  await printDocument({ verdict, stale }, () => `${text}\n`, context);
  if (stale.length > 0) return 3;
  return { calibrated: 0, advisory: 1, insufficient: 3 }[verdict];
}

async function runTunnel(
  { protocol, server = false, fault, judge, ...flags }: TunnelFlags,
  context: JudgeContext,
): Promise<number> {
  const { PasskError } = await import('../../public/suites.ts');
  const { judgedTunnel, judgeTunnel, renderJudgeTunnel, servedTunnel } = await import('../../public/judges.ts');
  const options = { ...flags, ...(protocol !== undefined && { protocols: protocol }) };
  if (!server && fault !== undefined) throw new PasskError('USAGE', '--fault needs --server.');
  if (judge !== undefined && (server || flags.bias !== undefined || flags.trials !== undefined)) {
    throw new PasskError('USAGE', '--server, --bias and --trials are for fake judges.', {
      hint: 'Leave them, or --judge, out: a real judge is asked for one evaluation.',
    });
  }
  if (judge !== undefined) {
    const { judges = [], models } = await configured(context, true);
    const { bias: _, trials: __, ...rest } = options;
    const ask = askingOf(context.settings);
    const tunnel = await judgedTunnel({ ...rest, judge, judges, ...(models !== undefined && { models }), ask });
    await printDocument(tunnel, (style) => renderJudgeTunnel(tunnel, style), context);
    return 0;
  }
  const tunnel = server
    ? await servedTunnel({ ...options, ...(fault !== undefined && { faults: fault }) })
    : judgeTunnel(options);
  await printDocument(tunnel, (style) => renderJudgeTunnel(tunnel, style), context);
  return 0;
}

function parseBias(word: string, before: Readonly<Record<string, number>> = {}): Readonly<Record<string, number>> {
  const [, name, number = ''] = /^([a-z]+)=(-?(?:\d+\.?\d*|\.\d+))$/.exec(word) ?? [];
  if (name === undefined) throw new InvalidArgumentError('Expected a word and a number: position=0.5.');
  return { ...before, [name]: Number(number) };
}
