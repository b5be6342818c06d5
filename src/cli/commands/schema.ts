import { Argument, type Command } from 'commander';
import type { Terminal } from '../terminal.ts';

/** Adds `passk schema`: the JSON Schema that editors check scenario files with. */
export function addSchema(program: Command, terminal: Terminal, done: (exitCode: number) => void): void {
  program
    .command('schema')
    .summary('print the JSON Schema of scenario, contract or workflow files')
    .description('Prints the JSON Schema of scenario, contract or workflow files, for editors and other tools.')
    .addArgument(
      new Argument('[kind]', 'which files').choices(['scenario', 'contract', 'workflow']).default('scenario'),
    )
    .addHelpText(
      'after',
      '\nIn a TOML editor: passk schema > scenario.schema.json, then line 1 of a scenario:\n  #:schema ./scenario.schema.json',
    )
    .action(async (kind: string) => {
      const { contractJsonSchema, scenarioJsonSchema, workflowJsonSchema } = await import('../../index.ts');
      const schemaOf = { contract: contractJsonSchema, workflow: workflowJsonSchema }[kind] ?? scenarioJsonSchema;
      terminal.printJson(await schemaOf());
      done(0);
    });
}
