import type { Json } from '../../../types/json.ts';
import { parseJson } from '../../../values/exact-json.ts';
import type { MessagePart, ReasoningPart, TextPart, ToolCallPart } from '../../../types/message.ts';

/** Puts the parts of an answer together, however they come: whole, or in pieces of any size. */
export class AnswerParts {
  private readonly parts: (TextPart | ReasoningPart | OpenCall)[] = [];
  private readonly calls = new Map<string | number, OpenCall>();
  private begun = 0;

  /** More text; it goes on where text came last. Returns what was added. */
  text(text: string): readonly MessagePart[] {
    if (text === '') return [];
    const last = this.parts.at(-1);
    if (last?.kind === 'text') this.parts[this.parts.length - 1] = { kind: 'text', text: last.text + text };
    else this.parts.push({ kind: 'text', text });
    return [{ kind: 'text', text }];
  }

  /** More reasoning, or its signature. Returns what was added. */
  reasoning(text: string, signature: string | null = null): readonly MessagePart[] {
    if (text === '' && signature === null) return [];
    const last = this.parts.at(-1);
    const open = last?.kind === 'reasoning' && last.signature === undefined ? last : null;
    const part: ReasoningPart = {
      kind: 'reasoning',
      text: (open?.text ?? '') + text,
      ...(signature !== null && { signature }),
    };
    if (open === null) this.parts.push(part);
    else this.parts[this.parts.length - 1] = part;
    return text === '' ? [] : [{ kind: 'reasoning', text }];
  }

  /**
   * A tool call, or more of it; `key` tells the calls of one answer apart. Some servers give all calls the same key, or
   * none: a piece with another id and a name then begins another call.
   */
  call(key: string | number, { id, name, argsText, args, signature }: CallPiece): void {
    let open = this.calls.get(key);
    const isAnother = open?.name !== '' && id != null && id !== open?.id && name != null && name !== '';
    if (open === undefined || isAnother) {
      open = { kind: 'tool_call', id: `call_${++this.begun}`, name: '', argsText: '' };
      this.calls.set(key, open);
      this.parts.push(open);
    }
    if (id != null) open.id = id;
    if (name != null) open.name = name;
    if (argsText != null) open.argsText += argsText;
    if (args !== undefined) open.args = args;
    if (signature != null) open.signature = signature;
  }

  get hasCalls(): boolean {
    return this.calls.size > 0;
  }

  get isEmpty(): boolean {
    return this.parts.length === 0;
  }

  /** The parts in the order in which they began. */
  build(): readonly MessagePart[] {
    return this.parts.map((part) => (part.kind === 'tool_call' ? callPart(part) : part));
  }
}

/** What an event says of a call; null: nothing. */
interface CallPiece {
  readonly id?: string | null;
  readonly name?: string | null;
  /** A piece of the arguments as JSON text. */
  readonly argsText?: string | null;
  /** All of the arguments. */
  readonly args?: Json;
  readonly signature?: string | null;
}

interface OpenCall {
  readonly kind: 'tool_call';
  id: string;
  name: string;
  argsText: string;
  args?: Json;
  signature?: string;
}

function callPart({ kind, id, name, argsText, args, signature }: OpenCall): ToolCallPart {
  const signed = signature === undefined ? {} : { signature };
  if (args !== undefined) return { kind, id, name, args, ...signed };
  // Tools without parameters are called with no text at all.
  if (argsText.trim() === '') return { kind, id, name, args: {}, ...signed };
  try {
    return { kind, id, name, args: parseJson(argsText), ...signed };
  } catch (error) {
    const problem = `the arguments are not JSON: ${error instanceof Error ? error.message : String(error)}`;
    return { kind, id, name, args: argsText, problem, ...signed };
  }
}
