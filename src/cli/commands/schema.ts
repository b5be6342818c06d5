import { Argument, type Command } from 'commander';
import type { OutputDocument } from '../../public/schemas.ts';
import type { Terminal } from '../terminal.ts';

const INPUTS = ['scenario', 'contract', 'session', 'workflow'];

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
  golden: 'golden pin --out',
  'golden-run': 'golden run --json',
};

const WRITTEN_BY = Object.entries(OUTPUTS).map(([document, by]) => `\n  ${document.padEnd(19)}  passk ${by}`);

const HELP = `
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
      new Argument('[kind]', 'which files').choices([...INPUTS, ...Object.keys(OUTPUTS)]).default('scenario'),
    )
    .addHelpText('after', HELP)
    .action(async (kind: string) => {
      const { contractJsonSchema, outputSchema, scenarioJsonSchema, sessionJsonSchema, workflowJsonSchema } =
        await import('../../public/schemas.ts');
      const inputs = {
        contract: contractJsonSchema,
        session: sessionJsonSchema,
        workflow: workflowJsonSchema,
        scenario: scenarioJsonSchema,
      };
      const schemaOf = Object.entries(inputs).find(([name]) => name === kind)?.[1];
      terminal.printJson(await (schemaOf === undefined ? outputSchema(kind as OutputDocument) : schemaOf()));
      done(0);
    });
}
