export type { Fault, FaultType } from './fault-type.ts';
export type { CheckedNode, NodeProblem } from '../types/node-problem.ts';
export type { ChildUse, DoneMove, Move, NodeType, NodeView, OutsideCall, Read, Step } from './node-type.ts';
export {
  type AiSdk,
  type AiSdkAgent,
  type AiSdkResult,
  type AiSdkTool,
  fromAiSdk,
  toAiSdkTools,
} from './frameworks/ai-sdk.ts';
export type { FrameworkSession } from './frameworks/framework-session.ts';
export {
  fromLangGraph,
  type LangChain,
  type LangChainMessage,
  type LangGraph,
  toLangChainTools,
} from './frameworks/langgraph.ts';
export {
  fromOpenAiAgents,
  type OpenAiAgents,
  type OpenAiAgentsResult,
  toOpenAiAgentsTools,
} from './frameworks/openai-agents.ts';
export {
  defineGenerator,
  type GeneratedScenario,
  type GenerationRequest,
  type GeneratorType,
  type SeededRandom,
} from './generator-type.ts';
export { ImportError } from './importer-type.ts';
export type {
  CountedTrial,
  CountedTrials,
  ImportedCall,
  ImportedCost,
  ImportedMessage,
  ImportedRun,
  ImportedScore,
  ImportedUsage,
  ImporterType,
  ImportIndex,
  ImportOptions,
  ImportProblem,
  ImportSource,
  ReadContext,
  RunPiece,
  RunSet,
  SourceHead,
} from './importer-type.ts';
export {
  defineJudge,
  type JudgeModule,
  type JudgeModuleQuestion,
  type JudgeUsage,
  type PairSaying,
  type PairwiseQuestion,
  type VerifyQuestion,
  type PointwiseQuestion,
  type RubricSaying,
  type Saying,
} from './judge-module.ts';
export type { PromptAgent, PromptCall } from './prompt-agent.ts';
export type { ReporterType } from './reporter-type.ts';
export type { ReportFile } from '../types/render-options.ts';
export type { ReportAnswer, ReportMessage, ReportSender } from '../types/reports/report-message.ts';
export type { OpenRunner, RunnerStart, RunnerType } from './runner-type.ts';
export {
  type AgentAnswers,
  type AgentReply,
  type AgentReplyFacts,
  type AgentReplyStream,
  type AgentText,
  type AgentSession,
  type AgentTokens,
  type SdkTokens,
  type SessionAgent,
  type SessionTool,
  ToolError,
} from './session-agent.ts';
export type { AnswerCheckType, CheckType, TrialCheckType } from './check-type.ts';
export type { AnswerCheck, CheckedAnswer, NamedVerdict, TrialCheck } from './trial-check.ts';
export type { TrialRecord } from '../types/record.ts';
export { defineWorld, type WorldModule, type WorldTool } from './world-module.ts';
export type { Similarity, SimilarityType } from './similarity-type.ts';
export type {
  OpenSubject,
  SubjectCall,
  SubjectContext,
  SubjectTrial,
  SubjectTurn,
  SubjectType,
} from './subject-type.ts';
export type {
  CaseResult,
  SuiteCase,
  SuiteFile,
  SuiteOutcome,
  SuitePlan,
  SuiteProblem,
  SuiteType,
} from './suite-type.ts';
export type { ArgumentRule, ValidatedAnswer, ValidatorOptions, ValidatorType } from './validator-type.ts';
export type {
  Address,
  Answer,
  BrokenReply,
  ChildResult,
  ChildRun,
  ErrorReply,
  ModelReply,
  ModelRequest,
  Port,
  Ports,
  Reply,
  Request,
} from './request.ts';
export type {
  FinishReason,
  MediaPart,
  Message,
  MessagePart,
  OutputFormat,
  ReasoningPart,
  Role,
  TextPart,
  TokenUsage,
  ToolCallPart,
  ToolChoice,
  ToolDeclaration,
  ToolResultPart,
} from '../types/message.ts';
export type {
  Compat,
  ForeignVerdict,
  GivenAnswer,
  ModelAnswer,
  ModelChunk,
  ModelProblem,
  ModelQuestion,
} from '../types/model-test.ts';
