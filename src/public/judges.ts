/** Models that judge, and what their verdicts are worth. */
export { renderJudgeCalibration } from '../report/judges/render-judge-calibration.ts';
export { renderJudgeTunnel } from '../report/judges/render-judge-tunnel.ts';
export { pairQuestion, rubricHash, rubricQuestion } from '../judges/judge-prompt.ts';
export type { AskOptions, Criterion, JudgeQuestion, Rubric, Unjudgeable } from '../judges/judge-prompt.ts';
export { type PairReading, type PairVerdict, readPairVerdict } from '../judges/read-pair-verdict.ts';
export { type CriterionVerdict, readRubricVerdict, type RubricReading } from '../judges/read-rubric-verdict.ts';
export type { UnreadableVerdict, VerdictProblem } from '../judges/answer-objects.ts';
export { judgeTunnel, type JudgeTunnelOptions } from '../judges/tunnel/judge-tunnel.ts';
export { judgedTunnel, type JudgedTunnelOptions } from '../suite/judges/judged-tunnel.ts';
export { servedTunnel, type ServedTunnelOptions } from '../suite/judges/served-tunnel.ts';
export {
  type FakeJudgeServer,
  type FakeJudgeServerOptions,
  startFakeJudge,
} from '../suite/judges/fake-judge-server.ts';
export { trialSampler } from '../suite/judges/trial-sampler.ts';
export { calibrateJudge, readCalibration, staleParts } from '../suite/judges/calibrate-judge.ts';
export type { CalibrateJudgeOptions, JudgeIdentity } from '../suite/judges/calibrate-judge.ts';
export type { JudgeCriterion, JudgeRuling, JudgeSetting } from '../types/judges/judge.ts';
export type { JudgeReport, JudgeStanding } from '../types/judges/judge-report.ts';
export type { CalibrationPins, JudgeCalibration } from '../types/judges/judge-calibration.ts';
export type { JudgeTunnel, TunnelJudge, TunnelProtocol } from '../types/judges/judge-tunnel.ts';
