/** From production and back: import, scrub, golden sets, canaries. */
export { canary } from '../canary/canary.ts';
export type {
  CanaryOptions,
  RehearseCanaryOptions,
  SetAside,
  ShadowCanaryOptions,
  StepCanaryOptions,
} from '../canary/canary-options.ts';
export { golden } from '../golden/golden.ts';
export type { AcceptGoldenOptions, PinGoldenOptions, RunGoldenOptions } from '../golden/golden-options.ts';
export type { GoldenIssue, GoldenLimits, GoldenReport } from '../types/golden/golden-report.ts';
export { importTraces, type ImportReport, type ImportTracesOptions } from '../suite/production/import-traces.ts';
export { scrubFiles, type ScrubFilesOptions, type ScrubReport } from '../suite/production/scrub-files.ts';
