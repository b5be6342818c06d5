import type { Json, JsonObject } from '../../types/json.ts';
import type { RecordedAnswer } from '../../types/sessions/recorded-tools.ts';
import { groupBy } from '../../values/group-by.ts';
import { withoutNulls } from '../../values/without-nulls.ts';
import { jsonText } from '../../values/json-text.ts';
import { replayMiss } from '../../values/replay-miss.ts';
import type { OpenWorld, World } from './open-world.ts';
import { WorldError } from './state-place.ts';
import type { ToolReply } from './tool-reply.ts';

/** Characters of arguments that a miss shows. */
const LONGEST_ARGS = 160;

/**
 * A world whose tools give what they gave when they were recorded: the nth call of a tool with the same arguments (as JSON with
 * ordered keys) gets the nth answer. Nothing else is ever asked. A call without a recorded answer breaks the trial as a miss.
 */
export function recordedWorld(state: JsonObject, answers: readonly RecordedAnswer[]): World {
  const replies = new Map(
    [...groupBy(answers, ({ tool, args }) => keyOf(tool, args))].map(([key, found]): [string, ToolReply[]] => [
      key,
      found.map(({ result, problem }) => ({ result, problem, isValid: true })),
    ]),
  );
  return { open: () => new RecordedWorldInSession(state, replies) };
}

class RecordedWorldInSession implements OpenWorld {
  readonly state: Json;
  private readonly replies: ReadonlyMap<string, readonly ToolReply[]>;
  /** Calls so far, by tool and arguments. */
  private readonly called = new Map<string, number>();

  constructor(state: JsonObject, replies: ReadonlyMap<string, readonly ToolReply[]>) {
    this.state = state;
    this.replies = replies;
  }

  call(name: string, args: Json): ToolReply {
    const key = keyOf(name, args);
    const times = this.called.get(key) ?? 0;
    const recorded = this.replies.get(key) ?? [];
    const reply = recorded[times];
    if (reply === undefined) throw new WorldError(missText(name, args, recorded.length));
    this.called.set(key, times + 1);
    return reply;
  }
}

/** Many models write null for what they leave out, so that an argument that is null counts as absent. */
function keyOf(tool: string, args: Json): string {
  return jsonText([tool, withoutNulls(args)]);
}

function missText(tool: string, args: Json, recorded: number): string {
  const text = jsonText(args);
  const shown = text.length > LONGEST_ARGS ? `${text.slice(0, LONGEST_ARGS).toWellFormed()}…` : text;
  const why =
    recorded === 0
      ? 'no such call was recorded'
      : `only ${recorded === 1 ? 'one such call was' : `${recorded} such calls were`} recorded`;
  return `${missHead(tool)}${shown}, and ${why}.`;
}

function missHead(tool: string): string {
  return replayMiss(`The tool ${JSON.stringify(tool)} was called with `);
}

/** Which of these tools was called as it never was when it was recorded, by the cause of a broken trial; null: none. */
export function missedTool<T extends { readonly name: string }>(cause: string, tools: readonly T[]): T | null {
  return tools.find(({ name }) => cause.startsWith(missHead(name))) ?? null;
}
