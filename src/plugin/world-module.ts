import type { JsonObject } from '../types/json.ts';

/** What the module of a world exports by default: the state that each trial begins with, and the tools that change it. */
export interface WorldModule<State extends object = JsonObject> {
  /** Plain data. Every trial has a copy of its own. */
  readonly state: State;
  /** By their names. */
  readonly tools: Readonly<Record<string, WorldTool<State>>>;
}

/** A tool of a world. */
export interface WorldTool<State extends object = JsonObject> {
  /** What agents are told that it does; absent: nothing. */
  readonly description?: string;
  /** JSON Schema of its arguments, an object; absent: any object. */
  readonly parameters?: JsonObject;
  /**
   * Carries out a call: changes the state, which is a copy of its own, and gives what the agent is told, plain data. It waits for nothing,
   * and the same state and arguments always give the same, so that calls can be compared with gold ones. A `ToolError` is
   * told to the agent, and leaves the state as it was; what it throws besides breaks the trial.
   *
   * A method, so that a tool may say what its arguments are.
   */
  run(state: State, args: JsonObject): unknown;
}

/** The world of a module, typed by its state. */
export function defineWorld<State extends object>(world: WorldModule<State>): WorldModule<State> {
  return world;
}
