import { PasskError } from '../errors.ts';
import { placeIssues } from '../report/place-report.ts';
import type { SuitePart } from '../settings/suite-part.ts';
import type { SuiteInput } from './load-suite.ts';

/**
 * Throws the `INPUT` error that says why nothing is run. With `keepGoing` a problem of a file is left to the file's row in
 * the report; a problem that is in no row, such as a name used twice, is thrown all the same.
 */
export function requireLoaded(
  { suite, seenRoot }: SuiteInput,
  options: { readonly keepGoing: boolean; readonly only?: SuitePart | null },
): void {
  const errors = suite.issues.filter((issue) => issue.severity === 'error');
  const issues = placeIssues(suite.issues, seenRoot);
  const inRows = new Set(suite.loaded.flatMap((row) => row.issues));
  const canGoOn = suite.loaded.length > 0 && errors.every((issue) => inRows.has(issue));
  if (errors.length > 0 && !(options.keepGoing && canGoOn)) {
    const files = new Set(errors.map((issue) => issue.at?.file).filter((file) => file !== undefined)).size;
    const where = files > 1 ? ` in ${files} files` : '';
    throw new PasskError('INPUT', `${count(errors.length, 'problem')}${where}; nothing was run.`, {
      issues,
      ...(canGoOn && goingOn(suite.scenarios)),
    });
  }
  if (suite.loaded.length === 0 && suite.definitions.length === 0) {
    const { what, none, list } = NOTHING_SELECTED[options.only ?? 'scenarios'];
    throw new PasskError('INPUT', `No ${what} was selected; nothing was run.`, {
      issues,
      hint:
        suite.files.length === 0
          ? none
          : `${count(suite.files.length, 'file')} loaded, but no name or tag matches; \`${list}\` shows them.`,
    });
  }
}

/** Files, since a contract or a table of cases is many scenarios. */
function goingOn(scenarios: readonly { readonly file: string }[]): { readonly hint?: string } {
  const loaded = new Set(scenarios.map(({ file }) => file)).size;
  if (loaded === 0) return {};
  return { hint: `--keep-going runs ${loaded === 1 ? 'the one file that loads' : `the ${loaded} files that load`}.` };
}

const NOTHING_SELECTED: Readonly<
  Record<
    SuitePart,
    {
      readonly what: string;
      /** Where no file is there. */
      readonly none: string;
      /** The command that shows what the filters choose from. */
      readonly list: string;
    }
  >
> = {
  scenarios: {
    what: 'scenario',
    none: 'Name scenario files, or a folder with .toml files; `passk init` writes a first one.',
    list: 'passk list',
  },
  contracts: {
    what: 'contract',
    none: 'Name contract files, or a folder with files that have a contract in them.',
    list: 'passk list',
  },
  models: {
    what: 'test of a model',
    none: 'Name model-conformance.yaml files, folders with them, or a conform.toml.',
    list: 'passk model list',
  },
};

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
