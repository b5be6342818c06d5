import { Argument, type Command } from 'commander';
import type { OutputDocument } from '../../public/schemas.ts';
import type { JsonObject } from '../../public/types.ts';
import type { Terminal } from '../terminal.ts';

/** Each kind of file that passk reads, with what says more of it. */
const INPUTS = {
  scenario: 'a workflow or an agent, and what is expected of it',
  contract: 'rules that hold while something breaks',
  session: 'tasks for agents with tools and a user',
  workflow: 'a workflow of its own file, which a scenario names by path',
  agents: 'agents for --agents',
  world: 'what the tools of a session change',
  recording: 'runs that other programs recorded',
  model: 'what models are asked',
  conform: 'conform.toml: how models are asked',
  config: 'passk.toml: the settings of a project',
  rollout: 'how passk canary rolls out a candidate',
  'rate-card': 'prices for releases',
} as const;

/** Each document that passk writes, with the command that writes it. */
const OUTPUTS: Readonly<Record<OutputDocument, string>> = {
  report: 'run --reporter json',
  plan: 'plan --json',
  explain: 'explain --json',
  trace: 'trace --json',
  baseline: 'run --save-baseline',
  history: 'run --history',
  comparison: 'compare --json',
  'table-audit': 'audit table --json',
  'set-audit': 'audit set --json',
  'judge-tunnel': 'judge tunnel --json',
  'judge-calibration': 'judge calibrate --out',
  release: 'release run --out',
  certificate: 'certify --out',
  'release-explanation': 'release explain --json',
  price: 'price --json',
  canary: 'canary step --json',
  'canary-rehearsal': 'canary rehearse --json',
  'canary-shadow': 'canary shadow --json',
  golden: 'golden pin --out',
  'golden-run': 'golden run --json',
};

const listed = ([document, about]: readonly [string, string]): string => `\n  ${document.padEnd(19)}  ${about}`;
const WRITTEN_BY = Object.entries(OUTPUTS).map(([document, by]) => listed([document, `passk ${by}`]));

const HELP = `
Files that passk reads:${Object.entries(INPUTS).map(listed).join('')}

Documents that passk writes:${WRITTEN_BY.join('')}

In a TOML editor: passk schema > scenario.schema.json, then line 1 of a scenario:
  #:schema ./scenario.schema.json`;

/** Adds `passk schema`: prints the JSON Schema of a kind of file that passk reads or writes. */
export function addSchema(program: Command, terminal: Terminal, done: (exitCode: number) => void): void {
  program
    .command('schema')
    .summary('print the JSON Schema of files that passk reads or writes')
    .description('Prints the JSON Schema of a kind of file, for editors and other programs.')
    .addArgument(
      new Argument('[kind]', 'which files')
        .choices([...Object.keys(INPUTS), ...Object.keys(OUTPUTS)])
        .default('scenario'),
    )
    .addHelpText('after', HELP)
    .action(async (kind: string) => {
      const schemas = await import('../../public/schemas.ts');
      const inputs: Readonly<Record<keyof typeof INPUTS, () => JsonObject | Promise<JsonObject>>> = {
        scenario: schemas.scenarioJsonSchema,
        contract: schemas.contractJsonSchema,
        session: schemas.sessionJsonSchema,
        workflow: schemas.workflowJsonSchema,
        agents: schemas.agentsJsonSchema,
        world: schemas.worldJsonSchema,
        recording: schemas.recordingJsonSchema,
        model: schemas.modelJsonSchema,
        conform: schemas.conformJsonSchema,
        config: schemas.configJsonSchema,
        rollout: schemas.canaryJsonSchema,
        'rate-card': schemas.rateCardJsonSchema,
      };
      const schemaOf = Object.entries(inputs).find(([name]) => name === kind)?.[1];
      terminal.printJson(await (schemaOf === undefined ? schemas.outputSchema(kind as OutputDocument) : schemaOf()));
      done(0);
    });
}
