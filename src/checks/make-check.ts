import type { Finding } from '../types/reports/finding.ts';
import type { Json } from '../types/json.ts';
import type { Pointer } from '../source/place-tree.ts';
import type { Check, PlainCheck, TrialView } from './check.ts';
import { capped } from './show-value.ts';

/** What one kind of expectation knows; `makeCheck` adds what all have in common. */
export interface CheckParts {
  /** The word in the file, with what tells it from others of its kind. */
  readonly name: string;
  /** As in `Check`; absent: `compileChecks` says it. */
  readonly key?: Pointer;
  /** What the driver must keep for it. */
  readonly needs?: 'prompts' | 'branches' | 'requests' | 'files';
  /** True: it looks at how and where the trial ended and at nothing else. */
  readonly onEnding?: boolean;
  readonly plain?: PlainCheck;
  /** The node it is about; a function: what in this trial, null for nothing in particular. */
  readonly at?: string | ((view: TrialView) => string | null);
  /** A function: what of it this trial does not show. */
  readonly expected: Json | ((view: TrialView) => Json);
  /** `expected` in words, or what tells it: stands after "expected". */
  readonly wanted: string | (() => string);
  readonly ruling?: (view: TrialView) => number;
  /** Called for every trial: allocates nothing where it can. */
  readonly holds: (view: TrialView) => boolean;
  readonly got: (view: TrialView) => Json;
  /** `got` in words: stands after "got". */
  readonly saw: (view: TrialView) => string;
  /** What it says of a failing trial, in place of what was expected and what was got; absent, or null: these. */
  readonly says?: (view: TrialView) => string | null;
}

/** A check whose finding always agrees with its fast answer. */
export function makeCheck(parts: CheckParts, name: string): Check {
  return new PartsCheck(parts, name);
}

/** What it says in words is put together when it is asked for: most checks hold, and nobody reads them. */
class PartsCheck implements Check {
  readonly name: string;
  readonly holds: (view: TrialView) => boolean;
  private readonly parts: CheckParts;

  constructor(parts: CheckParts, name: string) {
    this.name = name;
    this.holds = parts.holds;
    this.parts = parts;
  }

  get key(): Pointer {
    return this.parts.key ?? [];
  }

  get needsPrompts(): boolean {
    return this.parts.needs === 'prompts';
  }

  get needsBranches(): boolean {
    return this.parts.needs === 'branches';
  }

  get needsRequests(): boolean {
    return this.parts.needs === 'requests';
  }

  get needsFiles(): boolean {
    return this.parts.needs === 'files';
  }

  get onEnding(): boolean {
    return this.parts.onEnding === true;
  }

  get ruling(): ((view: TrialView) => number) | null {
    return this.parts.ruling ?? null;
  }

  get plain(): PlainCheck | null {
    return this.parts.plain ?? null;
  }

  explain(view: TrialView): Finding {
    const { name, parts } = this;
    const passed = parts.holds(view);
    const at = typeof parts.at === 'function' ? parts.at(view) : (parts.at ?? null);
    return {
      check: name,
      verdict: passed ? 'pass' : 'fail',
      expected: capped(typeof parts.expected === 'function' ? parts.expected(view) : parts.expected),
      got: capped(parts.got(view)),
      ...(at !== null && { at }),
      message: passed
        ? `${name}: got ${parts.saw(view)}, as expected`
        : `${name}: ${parts.says?.(view) ?? `expected ${wantedOf(parts)}, got ${parts.saw(view)}`}`,
    };
  }
}

function wantedOf(parts: CheckParts): string {
  return typeof parts.wanted === 'function' ? parts.wanted() : parts.wanted;
}
