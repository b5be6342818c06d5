import type { JsonObject } from '../types/json.ts';

/** What the rules of workflows ask of a node type. */
export interface NodeFacts {
  /** Branch labels it can give; [] means it never gives one. */
  labels(config: JsonObject): readonly string[] | 'any';
  /** True: it ends the run, so that no edge is followed. */
  readonly ends?: true;
  /** True: it always gives a label. */
  readonly alwaysLabelled?: true;
  /** True: the engine itself runs it, so that `retry` means nothing. */
  readonly engineRun?: true;
  /** All keys that its output can have, where it is always an object; absent: it may be anything. */
  readonly outputKeys?: readonly string[];
}

/** The node type that a word names; undefined: there is none, which is a problem of its own. */
export type NodeTypeOf = (type: string) => NodeFacts | undefined;
