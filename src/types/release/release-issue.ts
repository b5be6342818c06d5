import type { Axis, Tier } from './release-rules.ts';
import type { Sha256 } from './trial-line.ts';

/** What failed in a release, for whoever keeps track of it. */
export interface ReleaseIssue {
  /** Of candidate, tier, axis and code: what fails again has the same one. */
  readonly fingerprint: Sha256;
  /** Name and version of what was tried. */
  readonly candidate: string;
  /** The first version that it was found in. */
  readonly version: string;
  /** The tier that was asked for. */
  readonly tier: Tier;
  /** The axis that is in the way. */
  readonly axis: Axis | 'governance';
  /** In capitals, for programs. */
  readonly code: string;
  /** Sentences. */
  readonly messages: readonly string[];
  /** Names of scenarios that show it, at most 20; []: it is about all of them. */
  readonly scenarios: readonly string[];
  /** Hash of the body of the record that it stands in. */
  readonly record: Sha256;
}
