import { checkSchema } from '../../source/check-schema.ts';
import type { SourceDocument } from '../../source/toml-document.ts';
import { SMALL_TALK } from '../../mutations/text-mutations.ts';
import { deriveWords, draw, STREAM } from '../../random/draw.ts';
import type { Issue } from '../../types/issue.ts';
import type { JsonObject } from '../../types/json.ts';
import { LADDER_KINDS, LADDER_MEASURES, type LadderKind, type LadderMeasure } from '../../types/ladders/ladder.ts';
import { isJsonObject } from '../../values/is-json.ts';
import { jsonText } from '../../values/json-text.ts';
import { listAt, numberAt, tableAt, textAt, valueAt } from '../../workflow/raw-data.ts';
import { collectIssues, type Report } from '../../workflow/report.ts';
import type { Case, CasesResult } from '../cases/read-cases.ts';
import { ladderSchema } from './ladder-schema.ts';

const DEFAULT_DRAWS = 8;
/** Characters that are put into a file, over all rungs. */
const MOST_TEXT = 32_000_000;
const TEXT_MARKER = /\{\{\s*case\.text/g;
const MARKER = /\{\{\s*case\./;

/** The ladder of a file: a case for each rung. */
export interface Ladder extends CasesResult {
  readonly kind: LadderKind;
  readonly measure: LadderMeasure;
  /** From the lowest to the highest. */
  readonly rungs: readonly number[];
  /** Of budgets of tokens: what a single call of a workflow takes at most, or an answer of an agent. */
  readonly oneCall: number;
  /** Of concurrency of workflows: the node; '': the file names none. */
  readonly node: string;
}

/** Who climbs: a workflow, or the agents of a file of tasks. */
export type Climber = 'workflow' | 'session';

/** Reads `[ladder]` of a file. Each rung has the fields `rung`, `text` (so many characters) and those of its own. */
export function readLadder(document: SourceDocument, climber: Climber): Ladder {
  const { data } = document;
  const table = tableAt(data, 'ladder');
  const wrong = checkSchema(document, ['ladder'], ladderSchema);
  const issues: readonly Issue[] =
    wrong.length > 0
      ? wrong
      : collectIssues(document.locate, (report) => checkLadder(data, table, { climber, report }));
  const rungs = issues.length > 0 ? [] : rungsOf(table, numberAt(data, 'seed') ?? 0);
  // A text for each rung may be large, and few ladders want it.
  const wantsText = jsonText({ ...data, ladder: null }).includes('case.text');
  const cases = rungs.map(({ rung, fields }): Case => {
    return { name: String(rung), fields: { ...fields, rung, ...(wantsText && { text: contextOf(rung) }) } };
  });
  const kind = LADDER_KINDS.find((word) => word === textAt(table, 'kind')) ?? 'context';
  return {
    cases,
    issues,
    kind,
    measure: measureOf(table, { kind, climber }),
    rungs: rungs.map(({ rung }) => rung),
    oneCall: numberAt(table, 'one_call') ?? 0,
    node: textAt(table, 'node') ?? '',
  };
}

function measureOf(
  table: JsonObject,
  { kind, climber }: { readonly kind: LadderKind; readonly climber: Climber },
): LadderMeasure {
  if (kind === 'concurrency') return climber === 'session' ? 'real_ms' : 'virtual_ms';
  if (kind === 'budget') return climber === 'session' && textAt(table, 'measure') !== 'tokens' ? 'calls' : 'tokens';
  return LADDER_MEASURES.find((word) => word === textAt(table, 'measure')) ?? 'tokens';
}

interface Rung {
  readonly rung: number;
  readonly fields: JsonObject;
}

function rungsOf(table: JsonObject, seed: number): readonly Rung[] {
  const below = numberAt(table, 'below');
  if (below === undefined) {
    return listAt(table, 'rungs').map((entry): Rung => {
      const fields = isJsonObject(entry) ? entry : {};
      return { rung: typeof entry === 'number' ? entry : (numberAt(fields, 'rung') ?? 1), fields };
    });
  }
  const words = deriveWords(seed, 'ladder');
  const drawn = Array.from({ length: numberAt(table, 'draws') ?? DEFAULT_DRAWS }, (_, n) => {
    return 1 + Math.floor((draw(words, n, STREAM.user, 0) / 0x100000000) * below);
  });
  return [...new Set(drawn)].sort((a, b) => a - b).map((rung) => ({ rung, fields: {} }));
}

function checkLadder(
  data: JsonObject,
  table: JsonObject,
  { climber, report }: { readonly climber: Climber; readonly report: Report },
): void {
  const isWorkflow = climber === 'workflow';
  const kind = textAt(table, 'kind');
  const at = ['ladder'];
  const has = (key: string): boolean => valueAt(table, key) !== undefined;
  if (valueAt(data, 'cases') !== undefined) {
    report({ code: 'conflicting_keys', message: 'A ladder makes cases of its own.', at: ['cases'], part: 'key' });
  }
  if (has('rungs') === has('below')) {
    const message = has('rungs') ? 'The ladder has both rungs and below.' : 'The ladder has no rungs.';
    const hint = 'Write rungs = [1000, 2000, 4000]; of budgets below = 500 draws them.';
    report({ code: has('rungs') ? 'conflicting_keys' : 'missing_key', message, at, part: 'key', hint });
  }
  const measure = textAt(table, 'measure');
  const isTokenBudget = kind === 'budget' && (isWorkflow || measure === 'tokens');
  const idle = [
    ...(kind === 'budget' ? [] : ['below', 'draws']),
    ...(isTokenBudget ? [] : ['one_call']),
    ...(kind === 'concurrency' && isWorkflow ? [] : ['node']),
    ...(kind === 'context' || (kind === 'budget' && !isWorkflow) ? [] : ['measure']),
    ...(has('below') ? [] : ['draws']),
  ];
  for (const key of new Set(idle.filter(has))) {
    report({ code: 'unused_key', message: `"${key}" has no effect on this ladder.`, at: [...at, key], part: 'key' });
  }
  if (kind === 'concurrency' && isWorkflow && !has('node')) {
    report({ code: 'missing_key', message: 'The ladder names no node.', at, part: 'key', hint: 'Name it with node.' });
  }
  if (kind !== 'concurrency' && !isWorkflow && ['steps', 'virtual_ms'].includes(measure ?? '')) {
    const message = `Sessions have no ${measure === 'steps' ? 'steps' : 'virtual time'}.`;
    report({ code: 'out_of_range', message, at: [...at, 'measure'], hint: 'Measure "tokens" or "calls".' });
  }
  if (kind === 'context' && !MARKER.test(jsonText({ ...data, ladder: null }))) {
    report({
      code: 'unused_cases',
      message: 'Nothing of the file grows with the ladder, so all its rungs are alike.',
      at,
      part: 'key',
      hint: 'Write {{case.text}} where the context stands.',
    });
  }
  const places = jsonText({ ...data, ladder: null }).match(TEXT_MARKER)?.length ?? 0;
  const length = places * rungsOf(table, 0).reduce((sum, { rung }) => sum + rung, 0);
  if (length > MOST_TEXT) {
    report({
      code: 'too_much',
      message: `The texts of the ladder have ${length} characters together; at most ${MOST_TEXT} are made.`,
      at: [...at, 'rungs'],
      hint: 'Leave rungs out, or write {{case.text}} in fewer places.',
    });
  }
  const rungs = rungsOf(table, 0).map(({ rung }) => rung);
  const wrong = rungs.findIndex((rung, n) => n > 0 && rung <= (rungs[n - 1] ?? 0));
  if (wrong !== -1) {
    const message = `Rung ${rungs[wrong]} is not above the one before.`;
    report({ code: 'out_of_range', message, at: [...at, 'rungs', wrong] });
  }
}

/** Harmless sentences, so many characters. */
function contextOf(length: number): string {
  const round = `${SMALL_TALK.join(' ')} `;
  return round.repeat(Math.ceil(length / round.length)).slice(0, length);
}
