import process from 'node:process';
import { type Command, Option } from 'commander';
import type { CanaryOptions, RehearseCanaryOptions, SetAside, StepCanaryOptions } from '../../public/production.ts';
import { measure, share, wholeNumber } from '../../settings/kinds.ts';
import { untilInterrupt } from '../interrupt.ts';
import { keyText } from '../key-text.ts';
import { messageOf } from '../message-of.ts';
import { printDocument } from '../print-document.ts';
import { KindOption, settingsOf } from '../setting-option.ts';
import type { Terminal } from '../terminal.ts';
import { addCanaryShadow } from './canary-shadow.ts';

type Done = (exitCode: number) => void;

const HELP = `
An outcome is a line of JSON: id, at, arm (baseline or candidate), version, passed (or error, of the harness); and where it
is known violation, cost_usd, latency_ms, key and percent. The same outcome counts once, however often it is given.`;

const STEP_HELP = `
Every line is in the journal before it counts: a step that was killed is continued by the next. What cannot be counted is
set aside with its reason. A candidate is taken back at once, and promoted at the end of a step. With --listen only
programs of this machine are answered, and with PASSK_CANARY_TOKEN only those that give it as a bearer token.

Exit codes: 0 promoted or released, 1 taken back, or it may not begin: a stage is missing that the tier asks for
(CANARY_REQUIRED), or the record under [release] is not one by which it passed (RELEASE), 2 usage or input error,
3 not enough evidence: it is held, 4 the journal, the record or the audit log does not hold.

Examples:
  passk canary step canary.toml outcomes.jsonl
  tail -n 1000 outcomes.jsonl | passk canary step canary.toml -
  passk canary step canary.toml outcomes.jsonl --log release-log.jsonl --key release.key
  passk canary step canary.toml --listen 8790    POST /outcomes, GET /status; each request is a step`;

const STATUS_HELP = `
Exit codes: 0 released, 1 taken back or refused, 2 usage or input error, 3 on its way, 4 the journal is damaged.

Examples:
  passk canary status canary.toml --json
  passk canary status canary.toml --set-aside > again.jsonl`;

const REHEARSE_HELP = `
Candidates that are assumed, where none is given: one that errs a fifth as often as it may, one exactly at the floor, one that
errs twice as often, one that costs half more than it may, and one of which one outcome in a thousand does harm. To release
any but the first is a false promotion. A candidate may say cost, slow, violations and errors.

Exit codes: 0 rehearsed, 2 usage or input error.

Examples:
  passk canary rehearse canary.toml --per-hour 2000 --step-hours 1
  passk canary rehearse canary.toml --candidate today=0.985,cost=0.02 --candidate worse=0.93`;

/** Its own flags. */
interface RehearseFlags extends PageFlag, Pick<RehearseCanaryOptions, 'rollouts' | 'seed' | 'stepHours'> {
  readonly perHour?: number;
  readonly baselineRate?: number;
  readonly candidate?: readonly string[];
}

/** Its own flags. */
interface StepFlags extends StateFlags {
  readonly listen?: number;
  readonly log?: string;
  readonly key?: string;
}

interface PageFlag {
  readonly page?: string;
}

/** Its own flags. */
interface StateFlags {
  readonly state?: string;
}

/** Adds `passk canary`: takes a candidate from the shadow to all traffic, or back. */
export function addCanary(program: Command, terminal: Terminal, done: Done): void {
  const canary = program
    .command('canary')
    .summary('roll a candidate out by what it does in production')
    .enablePositionalOptions()
    .description('Takes a candidate from the shadow by 5 and 25 to 100 % of traffic, holds it, or takes it back.')
    .addHelpText('after', HELP);
  addStep(canary, terminal, done);
  addStatus(canary, terminal, done);
  addRehearse(canary, terminal, done);
  addCanaryShadow(canary, terminal, done);
}

function addStep(canary: Command, terminal: Terminal, done: Done): void {
  canary
    .command('step')
    .summary('count outcomes, and promote, hold or roll back')
    .description('Counts outcomes of production, and promotes, holds or takes back the candidate.')
    .argument('<config>', 'a TOML file with the stages')
    .argument('[outcomes...]', 'files with a line of JSON for each outcome; -: the input')
    .option('--state <file>', 'the state of the rollout (default: beside the configuration)')
    .option('--log <file>', 'sign each transition into this audit log, such as that of the releases')
    .option('--key <file>', 'the private key to sign with (default: PASSK_RELEASE_KEY)')
    .addOption(
      new KindOption(
        '--listen <port>',
        'take outcomes at this port of 127.0.0.1 until Ctrl-C, 0 for any',
        wholeNumber(0),
      ),
    )
    .addHelpText('after', STEP_HELP)
    .action(async (config: string, outcomes: readonly string[], flags: StepFlags, command: Command) => {
      const { PasskError } = await import('../../public/suites.ts');
      const { canary: rollouts } = await import('../../public/production.ts');
      if (flags.listen !== undefined) {
        if (outcomes.length > 0) {
          throw new PasskError('USAGE', 'Outcomes come from files or from the port, not from both.', {
            hint: 'Give the files in a step of their own, before.',
          });
        }
        return done(await listen(flags.listen, { config, flags, command, terminal, audit: await auditOf(flags) }));
      }
      const { report, setAside } = await rollouts.step({
        ...optionsOf(config, flags),
        ...(await auditOf(flags)),
        outcomes,
        input: process.stdin,
      });
      const settings = settingsOf(command);
      for (const line of placesOf(setAside)) terminal.say(line);
      await printDocument(report, (style) => rollouts.render(report, style), { settings, terminal });
      done(rollouts.exitCode(report));
    });
}

interface Listening {
  readonly config: string;
  readonly flags: StateFlags;
  readonly command: Command;
  readonly terminal: Terminal;
  readonly audit: Awaited<ReturnType<typeof auditOf>>;
}

/** Where transitions are signed. Rejects with `USAGE` for a log without a key, and the reverse. */
async function auditOf({ log, key }: StepFlags): Promise<Pick<StepCanaryOptions, 'audit'>> {
  if (log !== undefined) return { audit: { log, key: await keyText(key) } };
  if (key === undefined) return {};
  const { PasskError } = await import('../../public/suites.ts');
  throw new PasskError('USAGE', '--key signs nothing without an audit log.', { hint: 'Name one with --log.' });
}

async function listen(port: number, { config, flags, command, terminal, audit }: Listening): Promise<number> {
  const { canary: rollouts } = await import('../../public/production.ts');
  const token = process.env['PASSK_CANARY_TOKEN'];
  const server = await rollouts.serve({
    ...optionsOf(config, flags),
    ...audit,
    port,
    ...(token !== undefined && token !== '' && { token }),
  });
  terminal.say(`outcomes are taken at ${server.url}/outcomes; Ctrl-C ends it.`);
  await untilInterrupt();
  const report = await server.close();
  await printDocument(report, (style) => rollouts.render(report, style), { settings: settingsOf(command), terminal });
  return rollouts.exitCode({ ...report, decision: 'none' });
}

function addStatus(canary: Command, terminal: Terminal, done: Done): void {
  canary
    .command('status')
    .summary('say where a rollout stands')
    .description('Says where a rollout stands, and changes nothing.')
    .argument('<config>', 'a TOML file with the stages')
    .option('--state <file>', 'the state of the rollout (default: beside the configuration)')
    .option('--page <file>', 'write a page with the timeline of each stage, too')
    .option('--set-aside', 'print the lines that were set aside as they came, in place of the report')
    .addHelpText('after', STATUS_HELP)
    .action(
      async (
        config: string,
        { setAside = false, page, ...flags }: StateFlags & PageFlag & { readonly setAside?: boolean },
        command: Command,
      ) => {
        const { canary: rollouts } = await import('../../public/production.ts');
        const options = optionsOf(config, flags);
        const settings = settingsOf(command);
        if (setAside) {
          for (const { line } of await rollouts.setAside(options)) terminal.print(`${line}\n`);
          return done(0);
        }
        const report = await rollouts.status(options);
        await writePage(page, () => rollouts.renderPage(report));
        await printDocument(report, (style) => rollouts.render(report, style), { settings, terminal });
        done(rollouts.exitCode({ ...report, decision: 'none' }));
      },
    );
}

function addRehearse(canary: Command, terminal: Terminal, done: Done): void {
  canary
    .command('rehearse')
    .summary('play rollouts with candidates that are assumed')
    .description(
      'Plays rollouts of a configuration: false promotions, time to roll back, and who sees a bad candidate.',
    )
    .argument('<config>', 'a TOML file with the stages')
    .addOption(new KindOption('--rollouts <n>', 'of each candidate (default: 1000)', wholeNumber(1)))
    .addOption(new KindOption('--seed <n>', 'the same seed plays the same rollouts (default: 0)', wholeNumber(0)))
    .addOption(new KindOption('--per-hour <n>', 'requests in an hour (default: 1000)', measure))
    .addOption(
      new KindOption('--step-hours <hours>', 'between two steps (default: 0, outcomes count as they come)', measure),
    )
    .addOption(
      new KindOption('--baseline-rate <share>', 'pass rate of the baseline (default: of the best candidate)', share),
    )
    .addOption(
      new Option('--candidate <name=rate,…>', 'a candidate in place of the assumed ones; repeatable').argParser(
        (word: string, before: readonly string[] = []) => [...before, word],
      ),
    )
    .option('--page <file>', 'write a page with plots of each candidate, too')
    .addHelpText('after', REHEARSE_HELP)
    .action(async (config: string, flags: RehearseFlags, command: Command) => {
      const { canary: rollouts } = await import('../../public/production.ts');
      const { perHour, baselineRate, candidate, page, ...others } = flags;
      const rehearsal = await rollouts.rehearse({
        config,
        ...(others.rollouts !== undefined && { rollouts: others.rollouts }),
        ...(others.seed !== undefined && { seed: others.seed }),
        ...(others.stepHours !== undefined && { stepHours: others.stepHours }),
        ...(perHour !== undefined && { requestsPerHour: perHour }),
        ...(baselineRate !== undefined && { baselinePassRate: baselineRate }),
        ...(candidate !== undefined && { candidates: candidate.map(rollouts.parseCandidate) }),
      });
      await writePage(page, () => rollouts.renderRehearsalPage(rehearsal));
      const settings = settingsOf(command);
      await printDocument(rehearsal, (style) => rollouts.renderRehearsal(rehearsal, style), { settings, terminal });
      done(0);
    });
}

function optionsOf(config: string, { state }: StateFlags): CanaryOptions {
  return { config, ...(state !== undefined && { state }) };
}

function placesOf(setAside: readonly SetAside[]): readonly string[] {
  return setAside.map(({ file, line, reason }) => `${file === '-' ? 'input' : file}:${line}: set aside (${reason})`);
}

async function writePage(file: string | undefined, render: () => string): Promise<void> {
  if (file === undefined) return;
  const { PasskError, writeFileWhole } = await import('../../public/suites.ts');
  const bytes = new TextEncoder().encode(render());
  try {
    await writeFileWhole(file, bytes);
  } catch (cause) {
    throw new PasskError('OUTPUT', `The page cannot be written to ${file}: ${messageOf(cause)}.`, { cause });
  }
}
