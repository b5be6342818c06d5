import { compileTextMatch } from '../matching/text-match.ts';
import { compileValueTest, type SchemaCompiler } from '../matching/value-test.ts';
import type { Json } from '../types/json.ts';
import type { GoalTest, SessionGoal, ToolCall } from '../types/session.ts';
import { deepEqual } from '../values/deep-equal.ts';
import { isJsonObject } from '../values/is-json.ts';
import { selectSegments, splitPath } from '../values/select-path.ts';
import { countWork } from '../values/work.ts';

/** What was reached of the sub-goals of a session. */
export interface ReachedGoals {
  /** Of each goal the position of the event at which it was first reached; null: never. */
  readonly reachedAt: readonly (number | null)[];
  /** The most that held at one time. */
  readonly most: number;
}

/** Looks at a session as it goes. Positions are those of its events. */
export interface GoalWatch {
  /** A call that did what it was asked to, and the state that it left. */
  called(call: ToolCall, state: Json, event: number): void;
  said(text: string, event: number): void;
  readonly reached: ReachedGoals;
}

/**
 * Compiles sub-goals for any number of sessions, each of which begins with a state. A call that was made, and what was said,
 * stay reached; a state may be lost again. Source: the progress rate of AgentBoard (release-gate F-12), the most sub-goals that
 * held at one time.
 */
export function compileGoals(goals: readonly SessionGoal[], compileSchema: SchemaCompiler): (state: Json) => GoalWatch {
  const compiled = goals.map(({ test, name }) => compileGoal(test, name, compileSchema));
  return (state) => new GoalsInSession(compiled, state);
}

/** True where what just happened is what a goal asks for; null: such things say nothing about it. */
interface CompiledGoal {
  readonly byCall: ((call: ToolCall) => boolean) | null;
  readonly byState: ((state: Json) => boolean) | null;
  readonly byText: ((text: string) => boolean) | null;
}

const NEVER: CompiledGoal = { byCall: null, byState: null, byText: null };

function compileGoal(test: GoalTest, name: string, compileSchema: SchemaCompiler): CompiledGoal {
  switch (test.kind) {
    case 'says':
      return { ...NEVER, byText: compileTextMatch(test.text, name) };
    case 'state': {
      const holds = compileValueTest(test.test, name, compileSchema);
      const segments = splitPath(test.at);
      return { ...NEVER, byState: (state) => holds(selectSegments(state, segments)) };
    }
    case 'call': {
      const wanted = Object.entries(test.args);
      const tests = test.where.map((one) => ({
        segments: splitPath(one.at),
        holds: compileValueTest(one.test, name, compileSchema),
      }));
      return {
        ...NEVER,
        byCall: (call) =>
          call.name === test.tool &&
          wanted.every(([key, value]) => hasEntry(call.args, key, value)) &&
          tests.every(({ segments, holds }) => holds(selectSegments(call.args, segments))),
      };
    }
  }
}

function hasEntry(args: Json, key: string, value: Json): boolean {
  return isJsonObject(args) && Object.hasOwn(args, key) && deepEqual(args[key] ?? null, value);
}

class GoalsInSession implements GoalWatch {
  private readonly goals: readonly CompiledGoal[];
  private readonly holding: boolean[];
  private readonly reachedAt: (number | null)[];
  private most = 0;
  private state: Json | undefined;

  constructor(goals: readonly CompiledGoal[], state: Json) {
    this.goals = goals;
    this.holding = goals.map(() => false);
    this.reachedAt = goals.map(() => null);
    this.look(0, ({ byState }) => byState?.(state) ?? null);
    this.state = state;
  }

  get reached(): ReachedGoals {
    return { reachedAt: this.reachedAt, most: this.most };
  }

  called(call: ToolCall, state: Json, event: number): void {
    const isChanged = state !== this.state;
    this.state = state;
    this.look(event, ({ byCall, byState }) => {
      if (byCall !== null) return byCall(call) || null;
      return isChanged && byState !== null ? byState(state) : null;
    });
  }

  said(text: string, event: number): void {
    this.look(event, ({ byText }) => byText?.(text) || null);
  }

  /** `holds`: null where nothing changes. */
  private look(event: number, holds: (goal: CompiledGoal) => boolean | null): void {
    countWork(this.goals.length);
    let count = 0;
    for (const [at, goal] of this.goals.entries()) {
      const now = holds(goal);
      if (now !== null) this.holding[at] = now;
      if (this.holding[at] !== true) continue;
      count++;
      this.reachedAt[at] ??= event;
    }
    this.most = Math.max(this.most, count);
  }
}
