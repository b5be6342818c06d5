/** Whether contexts support an answer. */
export { checkSupport } from '../faithfulness/check-support.ts';
export { type AskModel, modelSampler, modelSplitter, modelVerifier } from '../faithfulness/model-verifier.ts';
export { heuristicVerifier, scoreClaims, scorePairs, scoreSamples } from '../faithfulness/score-claims.ts';
export type { AnswerSampler, ClaimSplitter, ClaimVerifier, PairScorer } from '../faithfulness/score-claims.ts';
export { claimScore, pairScoreMean, sampleAgreement, tokenConfidence } from '../faithfulness/scores.ts';
export { tokenLogProbabilities } from '../faithfulness/token-log-probabilities.ts';
export { scorerVerifier, splitterModel, verifierModel } from '../faithfulness/values-as-models.ts';
export { splitClaims } from '../faithfulness/split-claims.ts';
export type { CheckedClaim, CheckedFact, FactKind, SupportReport } from '../types/faithfulness/support-report.ts';
