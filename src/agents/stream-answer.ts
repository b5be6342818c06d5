import { eventText } from './event-text.ts';
import { isRunResult } from './model-answer.ts';
import { isPythonObject, type PythonJson, type PythonObject, PythonNumber, pythonText } from './python-json.ts';
import { END_MARK } from './read-events.ts';
import { valueAtPath } from './response-path.ts';

/** What the pieces of an answer said together. */
export interface StreamAnswer {
  /** The text; null: no piece has one. */
  readonly text: string | null;
  /** True: nothing is where the path leads, so that the text was found without it. */
  readonly isAstray: boolean;
  /** Why it is no answer; null: nothing keeps it from being one. */
  readonly error: string | null;
  /** True: the pieces are those of a protocol that passk knows, so that one without a text says nothing. */
  readonly isKnown: boolean;
}

/** Puts together an answer that comes in pieces, and sees whether it came to its end, as far as its protocol tells. */
export class AnswerStream {
  readonly #path: readonly string[] | null;
  readonly #texts: string[] = [];
  /** What is found without the path. */
  readonly #likely: string[] = [];
  #error: string | null = null;
  #isKnown = false;
  /** True: the protocol has yet to say that the answer is whole. */
  #isOpen = false;
  #hasStart = false;

  /** `path`: where the text of a piece is; null: it is looked for. */
  constructor(path: readonly string[] | null) {
    this.#path = path;
  }

  add(name: string | null, value: PythonJson): void {
    if (this.#error !== null) return;
    if (value === END_MARK) {
      this.#isOpen = false;
      return;
    }
    this.#error = failureIn(name, value);
    if (isPythonObject(value)) this.#mark(value);
    const [text, likely] = [this.#path === null ? null : eventText(value, this.#path), eventText(value, null)];
    if (text !== null) this.#texts.push(text);
    if (likely !== null) this.#likely.push(likely);
  }

  end(): StreamAnswer {
    const error = this.#error ?? (this.#isOpen ? CUT : null);
    const isAstray = this.#path !== null && this.#texts.length === 0;
    const texts = this.#path === null || isAstray ? this.#likely : this.#texts;
    return { text: texts.length === 0 ? null : texts.join(''), isAstray, error, isKnown: this.#isKnown };
  }

  #mark(event: PythonObject): void {
    const type = event.get('type');
    const isOpen = typeof type === 'string' ? (this.#typedMark(type) ?? runMark(type, event)) : untypedMark(event);
    if (isOpen === null) return;
    this.#isKnown = true;
    if (isOpen !== 'goes on') this.#isOpen = isOpen === 'open';
  }

  #typedMark(type: string): Mark | null {
    // Other agents call the beginning so, too.
    if (type === 'start') this.#hasStart = true;
    if (type === 'text-delta') return this.#hasStart ? 'open' : 'goes on';
    if (type === 'finish') return 'whole';
    return TYPES.get(type) ?? null;
  }
}

const CUT = 'its stream ended before its answer did';

type Mark = 'open' | 'goes on' | 'whole';

/** What events say of the answer, by their type. */
const TYPES: ReadonlyMap<string, Mark> = new Map([
  ['message_start', 'open'],
  ['content_block_delta', 'goes on'],
  ['message_stop', 'whole'],
  ['response.created', 'open'],
  ['response.output_text.delta', 'goes on'],
  ['response.completed', 'whole'],
  ['response.incomplete', 'whole'],
  // https://docs.ag-ui.com/concepts/events
  ['RUN_STARTED', 'open'],
  ['TEXT_MESSAGE_CONTENT', 'goes on'],
  ['RUN_FINISHED', 'whole'],
]);

/** Of a run of the Claude Agent SDK, which says at last what it answers. */
function runMark(type: string, event: PythonObject): Mark | null {
  if (type === 'result' && isRunResult(event)) return 'whole';
  return type === 'system' && event.get('subtype') === 'init' ? 'open' : null;
}

/** Of events without a type: chat completions, Gemini, Ollama. */
function untypedMark(event: PythonObject): Mark | null {
  const choice = valueAtPath(event, ['choices', '0']) ?? null;
  if (isPythonObject(choice) && isPythonObject(choice.get('delta') ?? null)) {
    const isChunk = event.get('object') === 'chat.completion.chunk';
    if (typeof choice.get('finish_reason') === 'string') return 'whole';
    return isChunk ? 'open' : 'goes on';
  }
  const candidate = valueAtPath(event, ['candidates', '0']) ?? null;
  if (isPythonObject(candidate)) return typeof candidate.get('finishReason') === 'string' ? 'whole' : 'open';
  const { done, model } = { done: event.get('done'), model: event.get('model') };
  if (typeof done !== 'boolean' || typeof model !== 'string') return null;
  return done ? 'whole' : 'open';
}

/** Names of events that end a run: `error`, Agno's `RunError`, AG-UI's `RUN_ERROR`, the `tripwire` of Mastra's guardrails. */
const FAILURE =
  /^(?:(?:team|run|workflow|agent|stream)*[-_.]?error|(?:team|run|workflow|agent)+[-_.]?failed|tripwire)$/i;

function isFailure(name: PythonJson | null | undefined): boolean {
  return typeof name === 'string' && FAILURE.test(name);
}

/** Why an event ends the answer; null: it does not. */
function failureIn(name: string | null, value: PythonJson): string | null {
  if (!isPythonObject(value)) return name === 'error' ? `Agent error: ${pythonText(value)}` : null;
  const [type = null, event] = [value.get('type'), value.get('event')];
  if ([name, type, event].some(isFailure)) return `Agent error: ${errorMessage(value)}`;
  if (type === 'abort') return CUT;
  if (type === 'response.failed') return `Agent error: ${errorMessage(valueAtPath(value, ['response']) ?? value)}`;
  // What a tool failed with the agent may still make good.
  return typeof type === 'string' && type.startsWith('tool-') ? null : failureOf(value);
}

/** An `error` that says nothing (null, false, an empty text) is none. */
export function failureOf(answer: PythonObject): string | null {
  const error = [answer.get('error'), answer.get('Error')].find(saysSomething);
  if (error !== undefined) return `Agent error: ${messageOf(error)}`;
  if (isRunResult(answer)) return failedRun(answer);
  if (answer.get('success') !== false) return null;
  const message = [answer.get('message')].find(saysSomething);
  return `Agent returned failure: ${message === undefined ? 'Unknown error' : messageOf(message)}`;
}

/** A run whose model could not be asked says why in place of an answer; one that came to a limit says which. */
function failedRun(result: PythonObject): string | null {
  const subtype = pythonText(result.get('subtype') ?? '');
  if (result.get('is_error') !== true && !subtype.startsWith('error_')) return null;
  const why = [result.get('result'), valueAtPath(result, ['errors', '0']) ?? undefined].find(saysSomething);
  return `Agent error: ${why === undefined ? subtype : pythonText(why)}`;
}

/** Of an event that is an error: its words, wherever they stand. */
function errorMessage(value: PythonJson): string {
  const said = isPythonObject(value) ? ERROR_KEYS.map((key) => value.get(key)).find(saysSomething) : undefined;
  return messageOf(said ?? value);
}

const ERROR_KEYS = ['error', 'errorText', 'message', 'detail', 'data', 'content', 'payload'];

function saysSomething(value: PythonJson | undefined): value is PythonJson {
  if (value === undefined || value === null || value === false || value === '') return false;
  return !(value instanceof PythonNumber && Number(value.text) === 0);
}

function messageOf(error: PythonJson): string {
  const inner = isPythonObject(error) ? MESSAGE_KEYS.map((key) => error.get(key)).find(saysSomething) : undefined;
  return inner === undefined ? pythonText(error) : messageOf(inner);
}

const MESSAGE_KEYS = ['message', 'error', 'reason', 'tripwireReason'];
