import type { Policy } from '../types/policy.ts';
import type { FamilyRule } from './env-rule.ts';
import { compilePathPatterns, type Patterns } from './path-pattern.ts';
import { judgePath } from './path-verdict.ts';
import type { FileQuestion, ResolvePath } from './policy-question.ts';
import { BoundedMemo } from './bounded-memo.ts';
import { visibleText } from '../text/visible-text.ts';

export interface FileRule extends FamilyRule {
  decide(question: FileQuestion, resolvePath: ResolvePath): string | null;
}

/** `[policy.fs]`: `read` for reading, `write` for writing files and making folders. */
export function fileRule(policy: Policy['fs']): FileRule {
  const read = new RuleOfOp(compilePathPatterns(policy.read));
  const write = new RuleOfOp(compilePathPatterns(policy.write));

  return {
    problems: [...read.patterns.problems, ...write.patterns.problems],
    decide: (question, resolvePath) =>
      (question.op === 'read' ? read : write).decide(question, resolvePath(question.path)),
  };
}

interface Judged {
  readonly as: string;
  readonly resolved: string;
  readonly denial: string | null;
}

class RuleOfOp {
  // By path alone, since a key joined of more would be built and hashed anew for every question. An answer holds for
  // who asked and for where the path led: links may change between questions where files are real.
  private readonly memo = new BoundedMemo<Judged>();
  readonly patterns: Patterns<string>;

  constructor(patterns: Patterns<string>) {
    this.patterns = patterns;
  }

  decide(question: FileQuestion, resolved: string): string | null {
    const { as, path } = question;
    const hit = this.memo.get(path);
    if (hit !== undefined && hit.as === as && hit.resolved === resolved) return hit.denial;
    const denial = judge(question, this.patterns, () => resolved);
    return this.memo.set(path, { as, resolved, denial }).denial;
  }
}

function judge(question: FileQuestion, patterns: Patterns<string>, resolvePath: ResolvePath): string | null {
  const family = question.op === 'read' ? 'fs_read' : 'fs_write';
  const path = visibleText(question.path);
  const subject = `${question.as} denied on ${path}`;
  if (patterns.count === 0) {
    return `${subject}: ${family} denied: no \`${family}\` allowlist patterns are configured`;
  }
  const verdict = judgePath(question.path, patterns, resolvePath);
  if (verdict.allowed) return null;
  return `${subject}: ${family} on \`${path}\` not covered by any allowlist pattern${visibleText(verdict.note)}`;
}
