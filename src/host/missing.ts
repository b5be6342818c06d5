import { PasskError } from '../errors.ts';
import { issueKey } from '../source/issue-key.ts';
import type { Issue, Location } from '../types/issue.ts';

/** What a run lacks, each problem once. */
export class Missing {
  private readonly issues = new Map<string, Issue>();

  get isAny(): boolean {
    return this.issues.size > 0;
  }

  add(issue: Omit<Issue, 'code' | 'severity'> & Partial<Issue>): void {
    const whole: Issue = { code: 'bad_option', severity: 'error', ...issue };
    this.issues.set(issueKey(whole), whole);
  }

  /** Does what may lack something; null: it does. */
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
    const { message, hint, at = placeOf() } = error;
    const issues = error.issues.length > 0 ? error.issues : [{ message, ...(hint !== undefined && { hint }) }];
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
