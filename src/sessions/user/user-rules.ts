import type { FinishReason } from '../../types/message.ts';
import type { PersonaCard, UserRule } from '../../types/sessions/session-user.ts';
import { DONE, GIVE_UP } from './user-prompt.ts';
import type { UserMove } from './user-in-session.ts';

/** Characters of a message that are looked at; users do not write more. */
export const MOST_SAID = 20_000;

/** What a message of a user's model is held against. */
export interface UserContext {
  readonly card: PersonaCard;
  /** What the agent has said, in order; []: the user speaks first. */
  readonly heard: readonly string[];
  /** True: the user may say no more after this. */
  readonly isLast: boolean;
}

/**
 * What a message of a user's model does, or the rule that it breaks. Only what a machine can tell is checked: values in
 * digits, addresses, phrases, and markers. A name that is made up is not noticed.
 */
export function readUserMessage(answer: string, finish: FinishReason | null, context: UserContext): UserMove {
  const { heard, isLast } = context;
  if (answer.length > MOST_SAID) {
    return {
      kind: 'fails',
      rule: 'no_answer',
      reason: `It wrote ${answer.length} characters; users write at most ${MOST_SAID}.`,
    };
  }
  const { text, leaves } = withoutMarkers(answer);
  const fails = (rule: UserRule, reason: string): UserMove => ({
    kind: 'fails',
    rule,
    reason,
    ...(text !== '' && { text }),
  });
  if (finish === 'filtered') return fails('refuses', 'Its provider withheld what it wrote.');
  const wrong = brokenRule(text, context);
  if (wrong !== null) return fails(...wrong);
  if (leaves === null) {
    if (text === '') return fails('empty', 'It said nothing.');
    return isLast ? fails('never_ends', 'It went on where it had to end.') : { kind: 'says', text };
  }
  if (heard.length === 0) return fails('ends_early', 'It ended before the agent had said anything.');
  if (text.includes('?')) return fails('ends_early', 'It asked something, and left before the answer.');
  return { kind: 'leaves', why: leaves, ...(text !== '' && { text }) };
}

type Wrong = readonly [rule: UserRule, reason: string];

function brokenRule(text: string, { card, heard }: UserContext): Wrong | null {
  const agentWords = SPEAKS_AS_AGENT.map((pattern) => pattern.exec(text)?.[0]).find((found) => found !== undefined);
  if (agentWords !== undefined) return ['speaks_as_agent', `It said ${quoted(agentWords)}, as the agent would.`];
  const refusal = REFUSES.exec(text)?.[0];
  if (refusal !== undefined) return ['refuses', `It said ${quoted(refusal)}.`];
  const last = heard.at(-1);
  if (last !== undefined && isEcho(text, last)) return ['echoes', 'It repeated what the agent had said.'];
  const sayable = new Values([...textsOn(card), ...heard]);
  const hidden = card.hidden.find((value) => holds(text, value) && !heard.some((message) => holds(message, value)));
  if (hidden !== undefined) return ['reveals_unknown', `It said ${quoted(hidden)}, which it does not know.`];
  const invented = valuesIn(text).find((value) => !sayable.has(value));
  return invented === undefined ? null : ['invents_value', `It said ${quoted(invented)}, which nobody had told it.`];
}

/** What assistants say and their users do not. */
const SPEAKS_AS_AGENT: readonly RegExp[] = [
  /^[ \t]*(?:assistant|agent|support|bot|system)\s*:/im,
  /\b(?:how|what) (?:can|may) i (?:help|assist|do for) you\b/i,
  /\bis there anything else (?:that )?i can\b/i,
  /\bas an? (?:ai|artificial intelligence|(?:large )?language model)\b/i,
  /\bi(?:'|’| a)m an? (?:ai|artificial intelligence|(?:large )?language model)\b/i,
];

const REFUSES =
  /\bi(?:'m| am)?\s*(?:can't|cannot|can’t|won't|will not|unable to|not able to) (?:assist with|help with (?:that|this) request|comply|fulfil|role-?play|play (?:this|that|the) (?:role|part|person)|pretend to be|take part in)/i;

/** Characters from which on a message that stands within another is no coincidence. */
const LONG_ENOUGH = 40;

function isEcho(text: string, message: string): boolean {
  const [mine, theirs] = [plain(text), plain(message)];
  return (
    mine !== '' && (mine === theirs ? theirs.includes(' ') : theirs.length >= LONG_ENOUGH && mine.includes(theirs))
  );
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Whether a text has a value in it, however it is written. */
function holds(text: string, value: string): boolean {
  const wanted = plain(value);
  return wanted !== '' && ` ${plain(text)} `.includes(` ${wanted} `);
}

/** All that a card tells its user. */
function textsOn({ opening, who, goal, known, unknown, manner, ends }: PersonaCard): readonly string[] {
  const pairs = [...known, ...manner].flatMap(({ name, value }) => [name, value]);
  return [opening ?? '', who ?? '', goal ?? '', ends ?? '', ...unknown, ...pairs];
}

/** More values than this are not looked up: nobody types so many. */
const MOST_VALUES = 200;
const LONGEST_ADDRESS = 320;
/** Characters from which on a piece may be part of a longer one. */
const LONG_PIECE = 4;

/** Addresses, and pieces of a text that have several digits; single digits are ordinary speech. */
function valuesIn(text: string): readonly string[] {
  const words = plainNumbers(text).split(/[\s<>"'(),;]+/);
  const values = words.flatMap((word): readonly string[] => {
    const address = word.replace(/[.!?:]+$/, '');
    if (address.length <= LONGEST_ADDRESS && isAddress(address)) return [address];
    return (word.match(/[\p{L}\p{N}]+/gu) ?? []).filter((piece) => (piece.match(/\p{Nd}/gu) ?? []).length > 1);
  });
  return [...new Set(values)].slice(0, MOST_VALUES);
}

function isAddress(word: string): boolean {
  return /^[^@]+@[^@]+\.[\p{L}\p{N}]+$/u.test(word) || /^https?:\/\/[\p{L}\p{N}]/iu.test(word);
}

/** `1,200.00` is 1200. */
function plainNumbers(text: string): string {
  return text.replace(/(\d)[.,]0{1,2}(?!\d)/g, '$1').replace(/(\d)[,'](?=\d{3}(?!\d))/g, '$1');
}

/** The values that some texts tell. */
class Values {
  private readonly addresses: string;
  /** Letters and digits alone, so that `555-0199` has `5550199` in it. */
  private readonly joined: string;
  private readonly pieces: ReadonlySet<string>;
  private readonly numbers: ReadonlySet<number>;

  constructor(sources: readonly string[]) {
    const texts = sources.map(plainNumbers);
    this.addresses = texts.join('\n').toLowerCase();
    this.joined = texts.map((text) => text.toLowerCase().replace(/[^\p{L}\p{N}\n]+/gu, '')).join('\n');
    this.pieces = new Set(this.addresses.match(/[\p{L}\p{N}]+/gu) ?? []);
    this.numbers = new Set(texts.flatMap((text) => (text.match(/\d+/g) ?? []).map(Number)));
  }

  has(value: string): boolean {
    const lower = value.toLowerCase();
    if (/[@:]/.test(lower)) return this.addresses.includes(lower);
    // Of `3rd`, `35euros` and the like the number counts; `007` is 7.
    const digits = /^\p{L}*?(\d+)\p{L}*$/u.exec(lower)?.[1];
    if (this.pieces.has(lower) || (digits !== undefined && this.numbers.has(Number(digits)))) return true;
    // Short ones are found by chance within longer ones.
    return lower.length >= LONG_PIECE && this.joined.includes(lower);
  }
}

interface Marked {
  readonly text: string;
  readonly leaves: 'user_done' | 'user_gave_up' | null;
}

function withoutMarkers(answer: string): Marked {
  const upper = answer.toUpperCase();
  const leaves = upper.includes(GIVE_UP) ? 'user_gave_up' : upper.includes(DONE) ? 'user_done' : null;
  return { text: answer.replace(/\[(?:done|give up)\]/gi, '').trim(), leaves };
}

function quoted(text: string): string {
  return JSON.stringify(text.length <= 80 ? text : `${text.slice(0, 80)}…`);
}
