import { PasskError } from '../errors.ts';
import type { Issue, Location } from '../types/issue.ts';
import { issueKey } from './issue-key.ts';

/** What a run lacks, each problem once. */
export class Missing {
  private readonly issues = new Map<string, Issue>();
  private readonly code: string;

  /** `code`: of problems that say none. */
  constructor(code = 'bad_option') {
    this.code = code;
  }

  get isAny(): boolean {
    return this.issues.size > 0;
  }

  add(issue: Omit<Issue, 'code' | 'severity'> & Partial<Issue>): void {
    const whole: Issue = { code: this.code, severity: 'error', ...issue };
    this.issues.set(issueKey(whole), whole);
  }

  /** Does what may lack something; null: it does. `at`: the place of problems that have none. */
  take<T>(step: () => T, at?: Location): T | null {
    try {
      return step();
    } catch (error) {
      this.addAll(error, () => at);
      return null;
    }
  }

  /** The same of what takes a while. */
  async try<T>(step: () => T | Promise<T>): Promise<T | null> {
    try {
      return await step();
    } catch (error) {
      this.addAll(error);
      return null;
    }
  }

  /** Adds the problems of an error, with a place where they have none; throws one that is no usage error of passk. */
  addAll(error: unknown, placeOf: () => Location | undefined = () => undefined): void {
    if (!(error instanceof PasskError) || error.code !== 'USAGE') throw error;
    const { summary, hint, at = placeOf() } = error;
    const issues = error.issues.length > 0 ? error.issues : [{ message: summary, ...(hint !== undefined && { hint }) }];
    for (const issue of issues) this.add({ ...(at !== undefined && { at }), ...issue });
  }

  /** Throws `USAGE` with each problem, where there are any: what a run lacks is said at once, before it begins. */
  refuse(): void {
    const issues = [...this.issues.values()];
    const [first, ...others] = issues;
    if (first === undefined) return;
    const message = [...new Set(issues.map((issue) => issue.message))].join(' ');
    const { at, hint } = first;
    // What holds for one alone stands in it where there are several.
    const alone = others.length > 0 ? {} : { ...(at !== undefined && { at }), ...(hint !== undefined && { hint }) };
    throw new PasskError('USAGE', message, { issues, ...alone });
  }
}

/** What each step gives. Throws the problems of all together; `code`: of those that say none. */
export function allOf<T extends readonly unknown[]>(
  steps: { readonly [K in keyof T]: (missing: Missing) => T[K] | null },
  code?: string,
): T {
  const missing = new Missing(code);
  const results = steps.map((step) => missing.take(() => step(missing)));
  missing.refuse();
  // One for each step, in their order: none of them lacks anything.
  return results as unknown as T;
}
