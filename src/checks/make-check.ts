import type { Finding } from '../types/finding.ts';
import type { Json } from '../types/json.ts';
import type { Check, PlainCheck, TrialView } from './check.ts';
import { capped } from './show-value.ts';

/** What one kind of expectation knows; `makeCheck` adds what all have in common. */
export interface CheckParts {
  /** The word in the file, with what tells it from others of its kind. */
  readonly name: string;
  /** What the driver must keep for it. */
  readonly needs?: 'prompts' | 'branches' | 'requests' | 'files';
  /** True: it looks at how and where the trial ended and at nothing else. */
  readonly onEnding?: boolean;
  readonly plain?: PlainCheck;
  /** The node it is about; a function: what in this trial, null for nothing in particular. */
  readonly at?: string | ((view: TrialView) => string | null);
  readonly expected: Json;
  /** `expected` in words: stands after "expected". */
  readonly wanted: string;
  /** Called for every trial: allocates nothing where it can. */
  readonly holds: (view: TrialView) => boolean;
  readonly got: (view: TrialView) => Json;
  /** `got` in words: stands after "got". */
  readonly saw: (view: TrialView) => string;
}

/** A check whose finding always agrees with its fast answer. */
export function makeCheck(parts: CheckParts, name: string): Check {
  const { holds, saw, wanted } = parts;
  const expected = capped(parts.expected);
  const explain = (view: TrialView): Finding => {
    const passed = holds(view);
    const at = typeof parts.at === 'function' ? parts.at(view) : (parts.at ?? null);
    return {
      check: name,
      verdict: passed ? 'pass' : 'fail',
      expected,
      got: capped(parts.got(view)),
      ...(at !== null && { at }),
      message: passed ? `${name}: got ${saw(view)}, as expected` : `${name}: expected ${wanted}, got ${saw(view)}`,
    };
  };
  return {
    name,
    needsPrompts: parts.needs === 'prompts',
    needsBranches: parts.needs === 'branches',
    needsRequests: parts.needs === 'requests',
    needsFiles: parts.needs === 'files',
    onEnding: parts.onEnding === true,
    plain: parts.plain ?? null,
    holds,
    explain,
  };
}
