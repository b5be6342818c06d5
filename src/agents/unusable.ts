import { PasskError } from '../errors.ts';
import type { Issue, Location } from '../types/issue.ts';

/** Nobody is there where the agent should be. */
export class UnreachedError extends Error {}

/** Where an agent is described. */
export interface AgentPlace {
  /** Where its file says something of it, by the key in its table; absent: nobody knows. */
  readonly at?: ((key: readonly string[]) => Location | undefined) | undefined;
}

/** Where it lies in a file, and what to do about it. */
export interface UnusableOptions {
  readonly at?: Location | undefined;
  readonly hint?: string | undefined;
}

/** The agent cannot be asked, which says nothing about it. */
export function unusable(message: string, options: UnusableOptions = {}): PasskError {
  return allUnusable([unusableIssue(message, options)]);
}

export function unusableIssue(message: string, { at, hint }: UnusableOptions = {}): Issue {
  return {
    code: 'bad_agent',
    severity: 'error',
    message,
    ...(at !== undefined && { at }),
    ...(hint !== undefined && { hint }),
  };
}

/** The same of several problems; at least one. */
export function allUnusable(issues: readonly Issue[]): PasskError {
  return new PasskError('USAGE', [...new Set(issues.map(({ message }) => message))].join(' '), { issues });
}

/** What each step gives. Throws the problems of all together. */
export function allOf<T extends readonly unknown[]>(steps: { readonly [K in keyof T]: () => T[K] }): T {
  const issues: Issue[] = [];
  const results = steps.map((step) => {
    try {
      return step();
    } catch (error) {
      issues.push(...issuesOf(error));
      return undefined;
    }
  });
  if (issues.length > 0) throw allUnusable(issues);
  // One for each step, in their order.
  return results as unknown as T;
}

/** The same with a place where its problems have none. */
export function placed<T>(at: Location | undefined, step: () => T): T {
  try {
    return step();
  } catch (error) {
    if (at === undefined) throw error;
    throw allUnusable(issuesOf(error).map((issue) => ({ at, ...issue })));
  }
}

/** The problems of an error; throws what is no error of passk. */
export function issuesOf(error: unknown): readonly Issue[] {
  if (!(error instanceof PasskError)) throw error;
  const { issues, message, at, hint } = error;
  return issues.length > 0 ? issues : [unusableIssue(message, { at, hint })];
}
