import process from 'node:process';
import type { Command } from 'commander';
import type { CanaryOptions, SetAside } from '../../index.ts';
import { printDocument } from '../print-document.ts';
import { settingsOf } from '../setting-option.ts';
import type { Terminal } from '../terminal.ts';

type Done = (exitCode: number) => void;

const HELP = `
An outcome is a line of JSON: id, at, arm (baseline or candidate), version, passed (or error, of the harness); and where it
is known violation, cost_usd, latency_ms, key and percent. The same outcome counts once, however often it is given.`;

const STEP_HELP = `
Every line is in the journal before it counts: a step that was killed is continued by the next. What cannot be counted is
set aside with its reason. A candidate is taken back at once, and promoted at the end of a step.

Exit codes: 0 promoted or released, 1 taken back, or a stage is missing that the tier asks for (CANARY_REQUIRED),
2 usage or input error, 3 not enough evidence: it is held, 4 the journal is damaged.

Examples:
  passk canary step canary.toml outcomes.jsonl
  tail -n 1000 outcomes.jsonl | passk canary step canary.toml -`;

const STATUS_HELP = `
Exit codes: 0 released, 1 taken back or refused, 2 usage or input error, 3 on its way, 4 the journal is damaged.

Examples:
  passk canary status canary.toml --json
  passk canary status canary.toml --set-aside > again.jsonl`;

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
}

function addStep(canary: Command, terminal: Terminal, done: Done): void {
  canary
    .command('step')
    .summary('count outcomes, and promote, hold or roll back')
    .description('Counts outcomes of production, and promotes, holds or takes back the candidate.')
    .argument('<config>', 'a TOML file with the stages')
    .argument('[outcomes...]', 'files with a line of JSON for each outcome; -: the input')
    .option('--state <file>', 'the state of the rollout (default: beside the configuration)')
    .addHelpText('after', STEP_HELP)
    .action(async (config: string, outcomes: readonly string[], flags: StateFlags, command: Command) => {
      const { canary: rollouts } = await import('../../index.ts');
      const { report, setAside } = await rollouts.step({ ...optionsOf(config, flags), outcomes, input: process.stdin });
      const settings = settingsOf(command);
      for (const line of placesOf(setAside)) terminal.say(line);
      await printDocument(report, (style) => rollouts.render(report, style), { settings, terminal });
      done(rollouts.exitCode(report));
    });
}

function addStatus(canary: Command, terminal: Terminal, done: Done): void {
  canary
    .command('status')
    .summary('say where a rollout stands')
    .description('Says where a rollout stands, and changes nothing.')
    .argument('<config>', 'a TOML file with the stages')
    .option('--state <file>', 'the state of the rollout (default: beside the configuration)')
    .option('--set-aside', 'print the lines that were set aside as they came, in place of the report')
    .addHelpText('after', STATUS_HELP)
    .action(
      async (
        config: string,
        { setAside = false, ...flags }: StateFlags & { readonly setAside?: boolean },
        command: Command,
      ) => {
        const { canary: rollouts } = await import('../../index.ts');
        const options = optionsOf(config, flags);
        const settings = settingsOf(command);
        if (setAside) {
          for (const { line } of await rollouts.setAside(options)) terminal.print(`${line}\n`);
          return done(0);
        }
        const report = await rollouts.status(options);
        await printDocument(report, (style) => rollouts.render(report, style), { settings, terminal });
        done(rollouts.exitCode({ ...report, decision: 'none' }));
      },
    );
}

function optionsOf(config: string, { state }: StateFlags): CanaryOptions {
  return { config, ...(state !== undefined && { state }) };
}

function placesOf(setAside: readonly SetAside[]): readonly string[] {
  return setAside.map(({ file, line, reason }) => `${file === '-' ? 'input' : file}:${line}: set aside (${reason})`);
}
