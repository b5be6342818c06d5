/** The public names of `passk/stats`, by hand: the statistics behind reports, gates and drift, for results of any origin. */
export { benjaminiHochberg, directedBenjaminiHochberg } from './benjamini-hochberg.ts';
export type { DirectedTest } from './benjamini-hochberg.ts';
export { binomialAtLeast, binomialAtMost, binomialBetween } from './binomial.ts';
export { bootstrapInterval, bootstrapMean } from './bootstrap.ts';
export type { BootstrapInterval, BootstrapOptions } from './bootstrap.ts';
export { boundedMeanInterval } from './bounded-mean-interval.ts';
export { clopperPearsonInterval } from './clopper-pearson.ts';
export { clusteredInterval, fixedScenariosError } from './clustered-interval.ts';
export type { Cluster, ClusteredInterval } from './clustered-interval.ts';
export { cohenKappa } from './judged/cohen-kappa.ts';
export type { CohenKappa } from './judged/cohen-kappa.ts';
export { confidenceSequence } from './confidence-sequence.ts';
export { correctedRate } from './judged/corrected-rate.ts';
export type { Agreed, CorrectedRate, JudgedRun } from './judged/corrected-rate.ts';
export { familyBias } from './judged/family-bias.ts';
export type { FamilyBias, FamilyScores } from './judged/family-bias.ts';
export { fiellerInterval } from './fieller.ts';
export type { Spending } from './fieller.ts';
export { fisherExact } from './fisher-exact.ts';
export type { FisherExact } from './fisher-exact.ts';
export { histogramPassHatK } from './histogram-pass-hat-k.ts';
export type { HistogramPassHatK } from './histogram-pass-hat-k.ts';
export { lengthControlled } from './judged/length-controlled.ts';
export type { LengthControlled, LengthPair } from './judged/length-controlled.ts';
export { mcNemar } from './mcnemar.ts';
export type { McNemar } from './mcnemar.ts';
export { meanInterval } from './mean-interval.ts';
export type { MeanInterval } from './mean-interval.ts';
export { normalQuantile } from './normal-quantile.ts';
export { normalTail } from './normal-tail.ts';
export { pairedDifferenceInterval, rateChange } from './paired-difference.ts';
export type { RateChange } from './paired-difference.ts';
export { nonInferiority, pairedT } from './paired-t.ts';
export type { NonInferiority, PairedT } from './paired-t.ts';
export { passAtK } from './pass-at-k.ts';
export { passHatK } from './pass-hat-k.ts';
export { positionBias } from './judged/position-bias.ts';
export type { PairCounts, PairOutcome, PositionBias, SwappedPair } from './judged/position-bias.ts';
export { predictionPoweredRate } from './judged/prediction-powered-rate.ts';
export type { LabelledItems, PredictionPowered } from './judged/prediction-powered-rate.ts';
export { rateVariance } from './rate-variance.ts';
export type { AlikeScenarios, RateVariance } from './rate-variance.ts';
export { bootstrapRatio, ratioInterval } from './ratio-interval.ts';
export type { RatioInterval } from './ratio-interval.ts';
export { scenariosNeeded } from './scenarios-needed.ts';
export type { ComparisonPlan } from './scenarios-needed.ts';
export { signFlip } from './sign-flip.ts';
export type { SignFlip, SignFlipOptions } from './sign-flip.ts';
export { sprt, sprtDecision } from './sprt.ts';
export type { Sprt, SprtOptions } from './sprt.ts';
export { stratifiedDifference } from './stratified-difference.ts';
export type { StratifiedDifference } from './stratified-difference.ts';
export { stratifiedRateInterval } from './stratified-rate-interval.ts';
export type { ScenarioRate } from './stratified-rate-interval.ts';
export { stratifiedTest } from './stratified-test.ts';
export type { StratifiedTest, StratifiedTestOptions, Stratum } from './stratified-test.ts';
export { studentQuantile, studentTail, studentTwoSided } from './student-t.ts';
export { successHistograms } from './success-histogram.ts';
export type {
  FoundHistograms,
  HistogramLimits,
  HistogramQuestion,
  SuccessHistogram,
  SumBounds,
} from './success-histogram.ts';
export { trialRatioInterval } from './trial-ratio-interval.ts';
export type { SpentTrials } from './trial-ratio-interval.ts';
export { trialsNeeded, trialsWithoutEvent } from './trials-needed.ts';
export type { TrialLapses, TrialsNeeded, WantedErrors } from './trials-needed.ts';
export { newcombeInterval, twoProportions } from './two-proportions.ts';
export type { Run, TwoProportions } from './two-proportions.ts';
export { twoWayError } from './two-way-error.ts';
export type { Cell, TwoWayError } from './two-way-error.ts';
export { wilsonInterval } from './wilson.ts';
