/** Engines that stay: for many runs, for a queue, and between an agent and what it calls. */
export { type ChaosProxyRunOptions, openChaosProxy, type RunningChaosProxy } from '../suite/chaos-proxy.ts';
export { createEngine, type EngineOptions, type SuiteEngine } from '../suite/create-engine.ts';
export { runWorker, type RunWorkerOptions } from '../suite/run-worker.ts';
export type { QueueWorker } from '../types/queue-worker.ts';
