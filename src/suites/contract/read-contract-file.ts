import { checkSchema } from '../../source/check-schema.ts';
import { hasChaos } from '../../faults/chaos/fault-labels.ts';
import { isTable } from '../../source/json-schema.ts';
import type { SourceDocument } from '../../source/toml-document.ts';
import type { Contract, ContractSubject } from '../../types/contract.ts';
import type { Chaos } from '../../types/chaos.ts';
import type { Issue } from '../../types/issue.ts';
import type { JsonObject } from '../../types/json.ts';
import { numberAt, tableAt, tablesAt, textAt, textsAt, valueAt } from '../../workflow/raw-data.ts';
import { type Report, toIssue } from '../../workflow/report.ts';
import { checkSize } from './check-size.ts';
import { originIssues } from '../../scenario/origin-issues.ts';
import { contractKeys } from './contract-schema.ts';
import { readAgent } from './read-agent.ts';
import { NO_CHAOS } from './read-chaos.ts';
import { readContractMutations } from './mutations/read-contract-mutations.ts';
import type { LoadedSession } from './replays/loaded-session.ts';
import { askedContracts } from './replays/asked-contracts.ts';
import { readReplays } from './replays/read-replays.ts';
import { readInvariants } from './read-invariants.ts';
import { CALM, readBlock, readMatrix } from './read-matrix.ts';
import { readSimilarity } from './read-similarity.ts';
import { readScoring } from './read-scoring.ts';
import { requiredText } from '../../workflow/required-values.ts';
import type { Reading } from './reading.ts';
import { withMeantTypes } from './mistaken-types.ts';
import { unknownAsWarning, unknownRootKeys } from './unknown-keys.ts';
import { partIssues, type UnsupportedPart, unsupportedParts } from './unsupported-parts.ts';

/** What a contract file says, all defaults filled in. */
export interface ContractFile {
  /** Relative to the suite root, with `/`. */
  readonly file: string;
  /** The contract first, then what its run-level invariants make up. */
  readonly contracts: readonly Contract[];
  /** Where the prompt goes in the payload that starts a workflow: keys from the outside in. */
  readonly promptKey: readonly string[];
  /** Replaces the suite's seed; null: does not. */
  readonly seed: number | null;
  readonly unsupported: readonly UnsupportedPart[];
}

/** A contract file, or null with the reasons among the issues: every problem at once. */
export interface ReadContractFile {
  readonly found: ContractFile | null;
  readonly issues: readonly Issue[];
}

export interface ReadContractOptions extends Pick<Reading, 'places' | 'profiles' | 'plugins'> {
  /** Recorded sessions that the file names. */
  readonly sessions: readonly LoadedSession[];
}

/** Checks a contract document and fills in what it leaves out. Reads files that it names, and nothing else. */
export function readContractFile(
  document: SourceDocument,
  { sessions, ...options }: ReadContractOptions,
): ReadContractFile {
  const { data, source } = document;
  const issues: Issue[] = [...withMeantTypes(document, schemaIssues(document)), ...partIssues(document)];
  const report: Report = (found) => issues.push(toIssue(found, document.locate));
  const reading: Reading = { document, report, ...options };
  const subject = readSubject(reading);
  const contracts = readContracts(reading, subject ?? { kind: 'workflow' }, sessions);
  const unsupported = unsupportedParts(document);
  if (subject === null || issues.some(({ severity }) => severity === 'error')) return { found: null, issues };
  const promptKey = (textAt(tableAt(data, 'contract'), 'prompt_key') ?? 'prompt').split('.');
  const seed = numberAt(tableAt(data, 'advanced'), 'seed') ?? null;
  return { found: { file: source.name, contracts, promptKey, seed, unsupported }, issues };
}

function schemaIssues(document: SourceDocument): readonly Issue[] {
  const isWorkflow = Object.hasOwn(document.data, 'workflow');
  const keyIssues = Object.entries(contractKeys)
    .filter(([key]) => Object.hasOwn(document.data, key))
    .flatMap(([key, schema]) => checkSchema(document, [key], schema))
    .map(unknownAsWarning);
  // Over a workflow the rest is checked as a scenario.
  return isWorkflow ? keyIssues : [...unknownRootKeys(document), ...keyIssues, ...originIssues(document)];
}

function readSubject(reading: Reading): ContractSubject | null {
  const { data } = reading.document;
  const hasAgent = valueAt(data, 'agent') !== undefined;
  const hasWorkflow = valueAt(data, 'workflow') !== undefined;
  if (hasAgent && hasWorkflow) {
    reading.report({
      code: 'conflicting_keys',
      message: 'A contract binds one subject, and this file has both agent and workflow.',
      at: ['agent'],
      part: 'key',
      hint: 'Keep one of them, and write a second file for the other.',
    });
    return null;
  }
  if (hasWorkflow) return { kind: 'workflow' };
  if (hasAgent) {
    const agent = readAgent(reading);
    return agent === null ? null : { kind: 'agent', agent };
  }
  reading.report({
    code: 'missing_key',
    message: 'The contract binds nobody: the file has neither agent nor workflow.',
    at: valueAt(data, 'contract') === undefined ? [] : ['contract'],
    part: 'key',
    hint: 'Describe who must obey with [agent], or with [workflow] as in a scenario.',
  });
  return null;
}

function readContracts(
  reading: Reading,
  subject: ContractSubject,
  sessions: readonly LoadedSession[],
): readonly Contract[] {
  const { data, source } = reading.document;
  const table = tableAt(data, 'contract');
  const chaos = readBlock(tableAt(data, 'chaos'), ['chaos'], reading);
  const golden = textsAt(data, 'golden_prompts');
  const prompts = textsAt(table, 'prompts');
  tellRepeated(reading, ['golden_prompts'], golden);
  tellRepeated(reading, ['contract', 'prompts'], prompts);
  const shared = {
    kind: 'contract' as const,
    file: source.name,
    trials: Math.max(1, numberAt(table, 'trials') ?? numberAt(data, 'trials') ?? 1),
    minPassRate: numberAt(table, 'min_pass_rate') ?? numberAt(data, 'min_pass_rate') ?? 1,
    minScore: numberAt(table, 'min_score') ?? null,
    scoring: readScoring(data, reading.report),
    ...priceIn(table),
    ...readSimilarity(table, reading),
    subject,
  };
  const contracts: Contract[] = [];
  const hasContract = isTable(valueAt(data, 'contract'));
  const runLevel = readInvariants(data, [], reading, { named: false, judged: true });
  if (hasContract) {
    const invariants = readInvariants(table, ['contract'], reading, { named: true, judged: true });
    const description = textAt(table, 'description');
    contracts.push({
      name: requiredText(table, 'name', ['contract'], reading.report, 'Reports name the contract by it.'),
      ...(description === undefined ? {} : { description }),
      phase: 'contract',
      invariants,
      ...placesOf(table, ['contract'], { invariants, reading }),
      matrix: columnsOf(reading, chaos),
      prompts: prompts.length > 0 ? prompts : golden,
      ...shared,
    });
    if (isEmpty(table) && isEmpty(data)) tellNothing(reading, ['contract']);
    tellUnusedChaos(reading, chaos, runLevel.length);
  } else if (isEmpty(data)) {
    tellNothing(reading, []);
  }
  if (runLevel.length > 0) {
    const phase = hasChaos(chaos) ? 'chaos' : 'prompts';
    contracts.push({
      name: `${textAt(table, 'name') ?? source.name} (${phase})`,
      phase,
      invariants: runLevel,
      ...placesOf(data, [], { invariants: runLevel, reading }),
      matrix: [phase === 'chaos' ? { name: 'chaos', ...chaos } : CALM],
      prompts: golden.length > 0 ? golden : prompts,
      ...shared,
    });
  }
  const mutated = contracts.find(({ phase }) => phase !== 'contract') ?? contracts[0];
  const mutatedName = `${textAt(table, 'name') ?? source.name} (mutation)`;
  const mutation = mutated === undefined ? null : readContractMutations(mutated, mutatedName, reading);
  if (mutation !== null) contracts.push(mutation);
  const [own] = contracts;
  const name = textAt(table, 'name') ?? source.name;
  const replays = own === undefined ? [] : readReplays(sessions, { own, name }, reading);
  const asked = askedContracts(contracts, replays, reading);
  checkPrompts(asked, reading);
  for (const contract of asked) checkSize(contract, reading.report);
  return asked;
}

/** Where the invariants of a list stand; {}: nowhere, or some of its tables are none. */
function placesOf(
  holder: JsonObject,
  at: readonly string[],
  { invariants, reading }: { readonly invariants: Contract['invariants']; readonly reading: Reading },
): Pick<Contract, 'places'> {
  const { locate, source } = reading.document;
  const tables = tablesAt(holder, 'invariants');
  // What a program made has no lines.
  if (source.text === '' || tables.length !== invariants.length) return {};
  const places = tables.map(({ index }) => {
    const { line, column } = locate([...at, 'invariants', index]);
    return { line, column };
  });
  return { places };
}

/** A table that is not sound has been told. */
function priceIn(contract: JsonObject): Pick<Contract, 'price'> {
  const table = tableAt(contract, 'price');
  const [input, output] = [numberAt(table, 'input'), numberAt(table, 'output')];
  return input === undefined || output === undefined ? {} : { price: { input, output } };
}

/** The matrix of the contract, else the one at the root, else a world in which nothing goes wrong. */
function columnsOf(reading: Reading, chaos: Chaos): Contract['matrix'] {
  const { data } = reading.document;
  const table = tableAt(data, 'contract');
  const below = valueAt(table, 'stack') === true ? chaos : NO_CHAOS;
  const isOwn = valueAt(table, 'chaos_matrix') !== undefined;
  const rootMatrix = valueAt(data, 'chaos_matrix');
  if (rootMatrix !== undefined) {
    reading.report({
      code: isOwn ? 'ignored_key' : 'moved_key',
      severity: 'warning',
      message: isOwn
        ? 'The contract has a chaos_matrix of its own, so this one is ignored.'
        : "This chaos_matrix is taken as the contract's.",
      at: ['chaos_matrix'],
      part: 'key',
      hint: isOwn ? 'Keep one of them.' : 'Write it under contract.',
    });
  }
  const columns = isOwn ? readMatrix(table, ['contract'], reading, below) : readMatrix(data, [], reading, below);
  // Mutated prompts are a matrix of their own, and so are recorded sessions.
  const hasOther = valueAt(data, 'mutations') !== undefined || valueAt(data, 'replays') !== undefined;
  if (columns.length > 0 || hasOther) return columns.length > 0 ? columns : [CALM];
  reading.report({
    code: 'no_matrix',
    severity: 'warning',
    message: 'The contract has no chaos_matrix, so its invariants are judged only where nothing goes wrong.',
    at: ['contract'],
    part: 'key',
    hint: 'Add columns with tool_faults, llm_faults or context_attacks.',
  });
  return [{ ...CALM, ...below }];
}

/** Those that are there but not sound have been told. */
function isEmpty(holder: JsonObject): boolean {
  return tablesAt(holder, 'invariants').length === 0;
}

function tellNothing({ report }: Reading, at: readonly string[]): void {
  report({
    code: 'asserts_nothing',
    severity: at.length === 0 ? 'error' : 'warning',
    message: `The ${at[0] ?? 'file'} has no invariants, so nothing can be judged.`,
    at,
    part: 'key',
    hint: 'Say in invariants what must hold.',
  });
}

function tellUnusedChaos({ document, report }: Reading, chaos: Chaos, runLevel: number): void {
  if (!hasChaos(chaos) || runLevel > 0 || valueAt(tableAt(document.data, 'contract'), 'stack') === true) return;
  report({
    code: 'ignored_key',
    severity: 'warning',
    message: 'This chaos has no effect: the columns of a matrix stand for themselves.',
    at: ['chaos'],
    part: 'key',
    hint: 'Put it under every column with stack = true in the contract, or move it into a column.',
  });
}

/** A prompt that is asked twice weighs as much as two, in rates and in intervals. */
function tellRepeated({ report }: Reading, at: readonly string[], prompts: readonly string[]): void {
  const seen = new Set<string>();
  const repeated: number[] = [];
  for (const [index, prompt] of prompts.entries()) {
    if (seen.has(prompt)) repeated.push(index);
    seen.add(prompt);
  }
  const [first] = repeated;
  if (first === undefined) return;
  const more = repeated.length === 1 ? '' : ` So do ${repeated.length - 1} more.`;
  report({
    code: 'repeated_prompt',
    severity: 'warning',
    message: `This prompt stands above already: it is asked again, and counts again.${more}`,
    at: [...at, first],
    hint: 'Leave it out. To ask more often, raise trials.',
  });
}

/** A workflow may have all it needs in its trigger; an agent has to be asked. */
function checkPrompts(contracts: readonly Contract[], { report, document }: Reading): void {
  const unasked = contracts.some(
    ({ subject, prompts, invariants }) =>
      subject.kind === 'agent' && prompts.length === 0 && invariants.some(({ probes }) => probes.length === 0),
  );
  if (!unasked) return;
  report({
    code: 'missing_key',
    message: 'The agent is asked nothing: the file has no golden_prompts.',
    at: valueAt(document.data, 'golden_prompts') === undefined ? [] : ['golden_prompts'],
    hint: 'List what it is asked in golden_prompts, or in prompts of the contract.',
  });
}
