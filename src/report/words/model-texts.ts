import { firstNames } from '../../text/first-names.ts';
import type { ModelCell, ModelCellState, ModelParity, ModelReport } from '../../types/model-suite.ts';
import { CELL_MARKS, SKIPPED_MARK } from './contract-marks.ts';
import { formatCount, plural } from '../../text/format-number.ts';
import { formatInterval, formatRate } from '../../text/format-rate.ts';
import { plainText } from '../plain-text.ts';
import type { Fact, Mark } from '../sections/section.ts';

/** Longest texts, in columns. An answer of a model is cut. */
const LONGEST = { name: 120, sentence: 600, said: 4000, command: 8000 } as const;

/** The sign, word and colour of a test of a model; the sign alone tells them apart. */
export const MODEL_MARKS: Readonly<Record<ModelCellState, Mark>> = {
  passed: CELL_MARKS.passed,
  flaky: { sign: '~', word: 'flaky', name: 'passed after a retry', role: 'warn' },
  failed: CELL_MARKS.failed,
  error: { sign: '!', word: 'ERROR', name: 'error', role: 'bad' },
  timed_out: { sign: '◷', word: 'LATE', name: 'timed out', role: 'bad' },
  skipped: SKIPPED_MARK,
};

/** The mark of a test that the model has not. */
export const NOT_ASKED: Mark = CELL_MARKS.not_applicable;

/** A name from a file, in one line. */
export function modelName(name: string): string {
  return plainText(name, LONGEST.name);
}

/** A sentence that may quote a model. */
export function modelSentence(text: string): string {
  return plainText(text, LONGEST.sentence);
}

/** How many tests there are, and how many ended in each state. */
export function modelHeadline({ cells, models, runner }: ModelReport): readonly string[] {
  const counts = (Object.keys(MODEL_MARKS) as readonly ModelCellState[]).flatMap((state) => {
    const count = cells.filter((cell) => cell.state === state).length;
    return count === 0 ? [] : [`${formatCount(count)} ${WORDS[state]}`];
  });
  const what = `${plural(cells.length, 'test')} of ${plural(models.length, 'model')} by ${modelName(runner)}`;
  return [what, ...counts, ...spentText(cells)];
}

/** The tokens of all trials; []: no usage is known. */
function spentText(cells: readonly ModelCell[]): readonly string[] {
  const tokens = cells.reduce((sum, cell) => sum + cell.tokens, 0);
  const passed = cells.reduce((sum, { trials }) => sum + trials.passed, 0);
  if (tokens === 0) return [];
  if (cells.some((cell) => cell.untold)) return [`at least ${formatCount(tokens)} tokens`];
  const each = passed === 0 ? '' : `, ${formatCount(Math.round(tokens / passed))} for each success`;
  return [`${formatCount(tokens)} tokens${each}`];
}

const WORDS: Readonly<Record<ModelCellState, string>> = {
  passed: 'passed',
  flaky: 'flaky',
  failed: 'failed',
  error: 'with an error',
  timed_out: 'timed out',
  skipped: 'skipped',
};

/** What a reader must know beside the cells. */
export function modelNotes({ parity, cells, runtime }: ModelReport): readonly string[] {
  const expected = cells.filter(
    (cell) => cell.expectedToFail === true && cell.state !== 'passed' && cell.state !== 'flaky',
  );
  return [
    ...retryNotes(cells),
    ...(parity === undefined ? [] : [parityText(parity, runtime)]),
    ...(expected.length === 0 ? [] : [`${plural(expected.length, 'test')} failed as expected.`]),
  ];
}

/** What retries showed; []: there were none. Several trials need no retries: their rate shows chance. */
function retryNotes(cells: readonly ModelCell[]): readonly string[] {
  const retried = cells.filter(({ retries, trials }) => retries > 0 && trials.requested === 1);
  if (retried.length === 0) return [];
  const passed = retried.filter(({ state }) => state === 'passed' || state === 'flaky').length;
  const what = `${plural(retried.length, 'test')} ${retried.length === 1 ? 'was' : 'were'} asked again to rule out flakes`;
  const then = passed === 0 ? 'none passed' : passed === retried.length ? 'passed' : `${formatCount(passed)} passed`;
  return [`${what}, one at a time where an answer had failed, and ${then} then.`];
}

/** More tests than this are counted instead of named. */
const MOST_NAMED = 8;

function parityText({ runtime: first, compared, differences }: ModelParity, runtime: string): string {
  const same = `${formatCount(compared - differences.length)} of ${plural(compared, 'test')} ended as with ${modelName(first)}`;
  if (differences.length === 0) return `${same}.`;
  const names = differences.map(
    ({ model, test, state, first: other }) =>
      `${modelName(test)} of ${modelName(model)} (${WORDS[state]}, ${WORDS[other]} with ${modelName(first)})`,
  );
  return `${same}; ${modelName(runtime)} differs in ${firstNames(names, MOST_NAMED)}.`;
}

/** How many of its trials passed; '': there was one, and its mark says so. */
export function cellShare({ trials }: ModelCell): string {
  if (trials.passed + trials.failed + trials.broken === 0) return '';
  return trials.requested > 1 ? `${formatCount(trials.passed)}/${formatCount(trials.requested)}` : '';
}

/** What was wrong in the lowest trial that did not pass, and which one it is where there were several; null: nothing was. */
export function judgedText({ message, trial, trials }: ModelCell): string | null {
  if (message === null) return null;
  return modelSentence(trial === undefined || trials.requested === 1 ? message : `In trial ${trial}: ${message}`);
}

function tokensText({ tokens, tokensPerSuccess, trials }: ModelCell): string {
  if (trials.requested === 1) return formatCount(tokens);
  if (tokensPerSuccess === null)
    return trials.passed > 0 ? formatCount(tokens) : `${formatCount(tokens)}; no trial passed`;
  return `${formatCount(tokens)}, ${formatCount(Math.round(tokensPerSuccess))} for each success`;
}

/** The k whose pass^k is listed. */
const LISTED_KS: readonly number[] = [2, 8, 32];

/** The facts behind the state of a test. */
export function modelFacts(cell: ModelCell): readonly Fact[] {
  const { message, answer, log, replay, retries, tokens, trials, passRateInterval, passHatK } = cell;
  const facts: Fact[] = [];
  if (trials.requested > 1) {
    const { passed, executed, deduplicated } = trials;
    const range = passRateInterval === null ? '' : `, 95 % interval ${formatInterval(passRateInterval)}`;
    const text = `${formatCount(passed)} of ${plural(executed + deduplicated, 'trial')} passed${range}`;
    facts.push({ label: 'trials', text, tone: 'plain' });
    const powers = passHatK
      .filter(({ k }) => LISTED_KS.includes(k))
      .map(({ k, value }) => `pass^${k} ${formatRate(value)}`);
    if (powers.length > 0) facts.push({ label: 'in row', text: powers.join(', '), tone: 'plain' });
  }
  if (retries > 0) facts.push({ label: 'again', text: `asked again ${plural(retries, 'time')}`, tone: 'plain' });
  if (tokens > 0) facts.push({ label: 'tokens', text: tokensText(cell), tone: 'plain' });
  if (answer !== null) facts.push({ label: 'answer', text: plainText(answer, LONGEST.said), tone: 'said' });
  const judged = judgedText(cell);
  if (judged !== null) facts.push({ label: 'judged', text: judged, tone: 'judged' });
  // The message of a process that ended quotes its log.
  if (log !== null && message?.includes(log) !== true) {
    facts.push({ label: 'logged', text: plainText(log, LONGEST.said), tone: 'said' });
  }
  if (replay !== null) facts.push({ label: 'show', text: plainText(replay, LONGEST.command), tone: 'command' });
  return facts;
}
