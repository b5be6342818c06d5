/** Releases: rules, records, certificates and prices. */
export { type Certification, certify, type CertifyOptions } from '../release/certify/certify.ts';
export { checkCertificate } from '../release/certify/check-certificate.ts';
export type { CertificateCheck, CheckCertificateOptions } from '../release/certify/check-certificate.ts';
export { renderCertificateCheck, renderCertification } from '../release/render-certificate.ts';
export { explainRelease } from '../release/explain/explain-release.ts';
export { type InitializedRelease, initRelease, type InitReleaseOptions } from '../release/init-release.ts';
export { readRecord } from '../release/record-files.ts';
export { finishedEvidence } from '../release/finished-kind.ts';
export { parseRanges } from '../release/price/parse-ranges.ts';
export { priceExitCode, priceRun, type PriceRunOptions } from '../release/price/price-run.ts';
export { renderPrice, renderPriceMarkdown } from '../release/price/render-price.ts';
export { releaseExitCode } from '../release/release-exit-code.ts';
export { renderExplanation } from '../release/render-explanation.ts';
export { renderRelease, renderVerification } from '../release/render-release.ts';
export { runReleaseShard } from '../release/run-release-shard.ts';
export { runRelease, type RunReleaseOptions } from '../release/run-release.ts';
export { type KeyTexts, makeKeys } from '../release/signing-keys.ts';
export { type Verification, verifyRelease, type VerifyReleaseOptions } from '../release/verify-release.ts';
export type { VerificationCheck } from '../release/verification.ts';
export type {
  AxisReason,
  AxisResult,
  CostFacts,
  EvalBody,
  EvalScenario,
  GovernanceFinding,
} from '../types/release/eval-body.ts';
export type { SafetyFacts } from '../types/release/safety-facts.ts';
export type { AuditEntry, EvalResult } from '../types/release/eval-result.ts';
export type { Certificate } from '../types/release/certificate.ts';
export type { ReleaseChange, ReleaseExplanation } from '../types/release/release-explanation.ts';
export type { PriceInput, PriceReport, TornadoBar } from '../types/release/price-report.ts';
export type { ReleaseIssue } from '../types/release/release-issue.ts';
export type { Axis, ReleaseSettings, Tier, TierRules } from '../types/release/release-rules.ts';
export type { TrialLine } from '../types/release/trial-line.ts';
export type { Origin, SuiteName } from '../types/release/origin.ts';
