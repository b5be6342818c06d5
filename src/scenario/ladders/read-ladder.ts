import { checkSchema } from '../../source/check-schema.ts';
import type { SourceDocument } from '../../source/toml-document.ts';
import { SMALL_TALK } from '../../mutations/text-mutations.ts';
import { deriveWords, draw, STREAM } from '../../random/draw.ts';
import type { Issue } from '../../types/issue.ts';
import type { JsonObject } from '../../types/json.ts';
import { LADDER_KINDS, LADDER_MEASURES, type LadderRung } from '../../types/ladders/ladder.ts';
import type { Scenario, WorkflowSubject } from '../../types/scenario.ts';
import { isJsonObject } from '../../values/is-json.ts';
import { jsonText } from '../../values/json-text.ts';
import { listAt, numberAt, tableAt, textAt, valueAt } from '../../workflow/raw-data.ts';
import { collectIssues, type Report } from '../../workflow/report.ts';
import type { Case, CasesResult } from '../cases/read-cases.ts';
import { ladderSchema } from './ladder-schema.ts';

const DEFAULT_DRAWS = 8;

/** The ladder of a file: a case for each rung, and what becomes of the scenario that is loaded for it. */
export interface Ladder extends CasesResult {
  /** The scenario of the n-th rung; problems that keep it from being one are reported. */
  readonly climbed: (scenario: Scenario<WorkflowSubject>, n: number, report: Report) => Scenario<WorkflowSubject>;
}

/** Reads `[ladder]` of a scenario file. Each rung has the fields `rung`, `text` (so many characters) and those of its own. */
export function readLadder(document: SourceDocument, name: string): Ladder {
  const { data } = document;
  const table = tableAt(data, 'ladder');
  const wrong = checkSchema(document, ['ladder'], ladderSchema);
  const issues: readonly Issue[] =
    wrong.length > 0 ? wrong : collectIssues(document.locate, (report) => checkLadder(data, table, report));
  const rungs = issues.length > 0 ? [] : rungsOf(table, numberAt(data, 'seed') ?? 0);
  // A text for each rung may be large, and few ladders want it.
  const wantsText = jsonText({ ...data, ladder: null }).includes('case.text');
  const cases = rungs.map(({ rung, fields }): Case => {
    return { name: String(rung), fields: { ...fields, rung, ...(wantsText && { text: contextOf(rung) }) } };
  });
  const kind = LADDER_KINDS.find((word) => word === textAt(table, 'kind')) ?? 'context';
  const measure = LADDER_MEASURES.find((word) => word === textAt(table, 'measure')) ?? 'tokens';
  return {
    cases,
    issues,
    climbed: (scenario, n, report) => {
      const rung = rungs[n]?.rung ?? 0;
      const ladder: LadderRung = { of: name, kind, measure: kind === 'concurrency' ? 'virtual_ms' : measure, rung };
      if (kind === 'budget') return { ...cutBy(scenario, rung, numberAt(table, 'one_call') ?? 0), ladder };
      if (kind === 'concurrency') return { ...widened(scenario, rung, textAt(table, 'node') ?? '', report), ladder };
      return { ...scenario, ladder };
    },
  };
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

function checkLadder(data: JsonObject, table: JsonObject, report: Report): void {
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
  const idle = [
    ...(kind === 'budget' ? [] : ['below', 'draws', 'one_call']),
    ...(kind === 'concurrency' ? [] : ['node']),
    ...(kind === 'context' ? [] : ['measure']),
    ...(has('below') ? [] : ['draws']),
  ];
  for (const key of new Set(idle.filter(has))) {
    report({ code: 'unused_key', message: `"${key}" has no effect on this ladder.`, at: [...at, key], part: 'key' });
  }
  if (kind === 'concurrency' && !has('node')) {
    report({ code: 'missing_key', message: 'The ladder names no node.', at, part: 'key', hint: 'Name it with node.' });
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

/** The call that passed the budget still counts, and no further one is made. */
function cutBy(scenario: Scenario<WorkflowSubject>, budget: number, oneCall: number): Scenario<WorkflowSubject> {
  const { subject, expected } = scenario;
  const { workflow } = subject;
  const most = Math.min(expected.max.llmTokens ?? Number.POSITIVE_INFINITY, budget + oneCall);
  return {
    ...scenario,
    subject: { ...subject, workflow: { ...workflow, budget: { ...workflow.budget, maxLlmTokens: budget } } },
    expected: { ...expected, max: { ...expected.max, llmTokens: most } },
  };
}

function widened(
  scenario: Scenario<WorkflowSubject>,
  rung: number,
  node: string,
  report: Report,
): Scenario<WorkflowSubject> {
  const { subject } = scenario;
  const { nodes } = subject.workflow;
  const found = nodes.find(({ id }) => id === node);
  if (found?.type !== 'map') {
    report({
      code: 'unknown_node',
      message: `The workflow has no map node "${node}".`,
      at: ['ladder', 'node'],
    });
    return scenario;
  }
  const own = nodes.map((one) => (one === found ? { ...one, config: { ...one.config, maxConcurrent: rung } } : one));
  return { ...scenario, subject: { ...subject, workflow: { ...subject.workflow, nodes: own } } };
}
