import { textSimilarity } from '../checks/invariants/text-similarity.ts';

/**
 * What asking for the same several times showed of an agent. `same`: the same answer each time; `varies`: other words by
 * chance; `remembers`: what it was asked before changes its answers; `unclear`: chance and memory cannot be told apart from
 * outside; `silent`: too few answers to tell.
 */
export type AgentState =
  | { readonly kind: 'unclear' | 'silent' }
  /** `texts`: its answers to the first prompt, as they are compared. */
  | { readonly kind: 'same' | 'varies'; readonly texts: readonly string[] }
  | {
      readonly kind: 'remembers';
      /** Completes "because …". */
      readonly why: string;
    };

/** Asks in a world without chaos; null: no answer came. */
export type AskClean = (prompt: string) => Promise<string | null>;

/** Answers by chance are about the same thing: this alike, any two of them. */
const ALIKE = 0.5;
/** So many words in a row are no coincidence. */
const QUOTED_WORDS = 4;

export interface ProbeOptions {
  /** True: the agent is brought back before each question, so that the same answer before and after another is enough. */
  readonly isReset: boolean;
}

/**
 * Asks the first prompt twice, another one in between if there is any, and the first twice again. Where the order seems to
 * matter it must do so once more, or chance would look like memory.
 */
export async function probeState(
  prompts: readonly string[],
  ask: AskClean,
  { isReset }: ProbeOptions = { isReset: false },
): Promise<AgentState> {
  const [first = ''] = prompts;
  const other = prompts.find((prompt) => prompt !== first);
  if (isReset) {
    const before = await ask(first);
    if (before === null) return { kind: 'silent' };
    if (other !== undefined) await ask(other);
    const after = await ask(first);
    if (after !== null && comparable(before) === comparable(after)) return { kind: 'same', texts: [comparable(after)] };
  }
  let between = '';
  const texts: string[] = [];
  for (const prompt of [first, first, other, first, first]) {
    if (prompt === undefined) continue;
    const text = await ask(prompt);
    // Who does not answer is not asked on: each time may take as long as an answer may.
    if (text === null) return { kind: 'silent' };
    if (prompt === first) texts.push(comparable(text));
    else between = text;
  }
  const [a = '', b = '', c = '', d = ''] = texts;
  if (texts.every((text) => text === a)) return { kind: 'same', texts: [a] };
  const foreign = other === undefined ? [] : [other, between];
  const why = growth(texts) ?? quotation([c, d], foreign, [first, a, b]);
  if (why !== null) return { kind: 'remembers', why };
  const isOrdered = c === d && ((a === b && a !== c) || (a !== b && b === c));
  if (isOrdered && (await goesOn(d, () => ask(first)))) {
    const cause = a === b ? 'another prompt in between changed its answer' : 'its first answer never came again';
    return { kind: 'remembers', why: cause };
  }
  return leastAlike(texts) >= ALIKE ? { kind: 'varies', texts } : { kind: 'unclear' };
}

/** An answer to a prompt that was asked in a clean world before. */
export interface LaterAnswer {
  readonly text: string;
  /** What an agent that keeps nothing cannot have got from its prompt: earlier prompts, payloads. */
  readonly foreign: readonly string[];
}

/** Whether an agent that keeps nothing may give this answer, as far as the earlier ones tell. */
export function isExpected(
  { kind, texts }: Extract<AgentState, { readonly kind: 'same' | 'varies' }>,
  { text, foreign }: LaterAnswer,
): boolean {
  const now = comparable(text);
  if (texts.includes(now)) return true;
  if (kind === 'same' || quotation([now], foreign, texts) !== null) return false;
  return texts.some((one) => textSimilarity(one, now) >= ALIKE);
}

/** Times, dates, identifiers and long numbers differ without any memory. */
function comparable(text: string): string {
  return text
    .trim()
    .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '<id>')
    .replace(/\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)?/g, '<time>')
    .replace(/\b\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?\b/g, '<time>')
    .replace(/\d{6,}/g, '<number>');
}

function growth(texts: readonly string[]): string | null {
  const pairs = texts.slice(1).map((text, at) => [texts[at] ?? '', text] as const);
  if (pairs.every(([earlier, later]) => later.length > earlier.length && earlier !== '' && later.includes(earlier))) {
    return 'each answer repeats the one before and adds to it';
  }
  const shapes = new Set(texts.map((text) => text.replace(/\d+/g, '#')));
  if (shapes.size > 1) return null;
  const counts = texts.map((text) => (text.match(/\d+/g) ?? []).map(Number));
  const counts0 = counts[0] ?? [];
  const isCounting = counts0.some((_, place) =>
    counts.slice(1).every((numbers, at) => (numbers[place] ?? 0) > (counts[at]?.[place] ?? 0)),
  );
  return isCounting ? 'a number in its answers counts up' : null;
}

/** Words of another prompt, or of the answer to it, that nothing else explains. */
function quotation(texts: readonly string[], foreign: readonly string[], sources: readonly string[]): string | null {
  const explained = new Set(sources.flatMap(runsOfWords));
  const runs = new Set(foreign.flatMap(runsOfWords).filter((run) => !explained.has(run)));
  const quotes = texts.some((text) => runsOfWords(text).some((run) => runs.has(run)));
  return quotes ? 'it quotes another prompt, or its answer to that' : null;
}

function runsOfWords(text: string): readonly string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.slice(QUOTED_WORDS - 1).map((_, at) => words.slice(at, at + QUOTED_WORDS).join(' '));
}

async function goesOn(text: string, ask: () => Promise<string | null>): Promise<boolean> {
  for (let round = 0; round < 3; round++) {
    const next = await ask();
    if (next === null || comparable(next) !== text) return false;
  }
  return true;
}

function leastAlike(texts: readonly string[]): number {
  return Math.min(...texts.flatMap((text, at) => texts.slice(at + 1).map((other) => textSimilarity(text, other))));
}
