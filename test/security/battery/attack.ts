import type { ScenarioDefinition } from '../../../src/scenario/objects/define-scenario.ts';
import type { PolicyDefinition } from '../../../src/types/definitions/scenario-tables.ts';

/** What a subject is made to ask of the world by the words that were put into its mouth. */
export type Act =
  | { readonly do: 'write'; readonly path: string; readonly text: string }
  | { readonly do: 'mkdir'; readonly path: string }
  /** What is read is sent away, by a request that policy allows. */
  | { readonly do: 'read'; readonly path: string }
  | { readonly do: 'http'; readonly url: string; readonly method?: string }
  | { readonly do: 'resource'; readonly uri: string }
  | { readonly do: 'run'; readonly command: string; readonly args: readonly string[] }
  | { readonly do: 'tool'; readonly tool: string; readonly text: string; readonly server?: string }
  | { readonly do: 'env'; readonly key: string };

/** A scenario without policy and expectations: those tell the attack from its control. */
export type Subject = Omit<ScenarioDefinition, 'name' | 'policy' | 'expected' | 'capabilities'>;

/**
 * Why nothing happens. `denied`: policy refuses, once. `error`: the request cannot be made, and the subject is told so.
 * `inert`: it is made, and the trick in it means nothing. `race`: policy refuses or what is allowed happens.
 */
export type Defence = 'denied' | 'error' | 'inert' | 'race';

export interface Attack {
  readonly family: string;
  readonly name: string;
  /** Stands in everything that the attack would leave behind. */
  readonly mark: string;
  readonly subject: Subject;
  /** What must happen under an open policy: the same, or what the trick aims at in plain words. */
  readonly control: Subject;
  readonly defence: Defence;
  /** How the run ends under attack. */
  readonly ends: 'errored' | 'completed' | 'either';
  /** Part of the sentence that the subject is told. */
  readonly reason?: string;
  /** The attack is on what a model may be told: nothing else would show it. */
  readonly told?: boolean;
  /** Instead of the battery's own policy. */
  readonly policy?: PolicyDefinition;
}

/** An attack before it has its mark. */
export type Draft = (mark: string) => Omit<Attack, 'mark' | 'family'>;
