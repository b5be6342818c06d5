import { defectsIn, type Saboteur } from '../saboteur.ts';

/** Defects of the walk: routing, loops, endings, retry and time. */
export const walkDefects: readonly Saboteur[] = [
  ...defectsIn('engine/walk.ts', [
    {
      name: 'the first reply counts, not the last',
      find: 'if (move.response !== undefined) this.response',
      replace: 'if (move.response !== undefined && this.response === null) this.response',
    },
    {
      name: 'terminate gives a final value',
      find: 'this.context.outputs[node.index] = null;',
      replace: "this.context.outputs[node.index] = null; this.finalValue = 'done';",
    },
    { name: 'a dead end is told as a leaf', find: "? 'dead_end' : 'leaf'", replace: "? 'leaf' : 'leaf'" },
    { name: 'a leaf is told as a dead end', find: "? 'dead_end' : 'leaf'", replace: "? 'dead_end' : 'dead_end'" },
    {
      name: 'a spent loop is told as a dead end',
      find: "this.complete('loop_spent'",
      replace: "this.complete('dead_end'",
    },
    { name: 'a fail is told as a terminate', find: "completed ? 'terminate' : 'fail'", replace: "'terminate'" },
    { name: 'a dead end has no final value', find: 'this.finalValue = output;', replace: '' },
    { name: 'a denial is told as an error', find: "category === 'policy' ? 'denial' : 'error'", replace: "'error'" },
    {
      name: 'an errored run forgets where',
      find: "this.erroredNode = node.index;\n    this.stop('errored', category",
      replace: "this.stop('errored', category",
    },
    {
      name: 'two answering edges are no error',
      find: "if ('candidates' in edge) return this.failAmbiguous(node, edge.candidates, branch);",
      replace: "if ('candidates' in edge) { this.take(route.edges[0]); return null; }",
    },
    {
      name: 'a walk has no step limit of its own',
      find: 'return this.steps + this.repeats >= MAX_STEPS || ',
      replace: 'return ',
    },
    {
      name: 'a walk takes one step too many',
      find: 'return this.steps + this.repeats >= MAX_STEPS || ',
      replace: 'return this.steps + this.repeats > MAX_STEPS || ',
    },
    {
      name: 'retries are no steps',
      find: 'if (!this.countRepeat()) return this.stopAtStepLimit();\n    const',
      replace: 'const',
    },
    {
      name: 'repeated requests are no steps',
      find: 'if (this.hasAsked && !this.countRepeat()) return this.stopAtStepLimit();',
      replace: '',
    },
    { name: 'time limits are not looked at', find: 'if (this.nowUs() >= this.deadlineUs) {', replace: 'if (false) {' },
    {
      name: 'a limit reached exactly is not reached',
      find: 'if (this.nowUs() >= this.deadlineUs) {',
      replace: 'if (this.nowUs() > this.deadlineUs) {',
    },
    {
      name: 'an agent loop does not look at the time',
      find: "if (node.isLoop && request.port === 'model' && this.nowUs() >= this.deadlineUs)",
      replace: 'if (false)',
    },
    { name: 'delays take no time', find: 'this.clockUs += answer.delayUs;', replace: '' },
    { name: 'back-off takes no time', find: 'if (trialState.realTime === null) this.clockUs += waitUs;', replace: '' },
    {
      name: 'a back-off beyond the time limit is waited for',
      find: 'if (this.nowUs() + waitUs > this.deadlineUs)',
      replace: 'if (false)',
    },
    {
      name: 'children nest one level less',
      find: 'export const MAX_DEPTH = 8;',
      replace: 'export const MAX_DEPTH = 7;',
    },
    {
      name: 'children nest one level more',
      find: 'export const MAX_DEPTH = 8;',
      replace: 'export const MAX_DEPTH = 9;',
    },
    {
      name: 'a pause goes on without a decision',
      find: 'if (approval === undefined || !approval.resume) {',
      replace:
        'if (approval === undefined) return this.follow(node, node.routes.get(undefined) ?? null, undefined, null);\n    if (!approval.resume) {',
    },
    {
      name: 'a decision to stay paused is ignored',
      find: 'if (approval === undefined || !approval.resume) {',
      replace: 'if (approval === undefined) {',
    },
    {
      name: 'an approval is ignored',
      find: 'if (approval === undefined || !approval.resume) {',
      replace: 'if (approval === undefined || true) {',
    },
    {
      name: 'a resumed run keeps its old time limit',
      find: 'this.deadlineUs = this.nowUs() + this.trialState.rules.timeoutUs;',
      replace: '',
    },
    {
      name: 'a node named trigger does not replace the trigger',
      find: 'if (node.index === this.graph.triggerNode)',
      replace: 'if (false)',
    },
    {
      name: 'a denial counts again at every caller',
      find: 'trialState.count(COUNTER.nodeFailures, 1);',
      replace:
        "trialState.count(COUNTER.nodeFailures, 1);\n    if (category === 'policy' && this.request?.port === 'children') trialState.count(COUNTER.policyDenials, 1);",
    },
    { name: 'failed nodes are not counted', find: 'trialState.count(COUNTER.nodeFailures, 1);', replace: '' },
    {
      name: 'executions are not counted',
      find: 'this.trialState.count(COUNTER.nodeExecutions, 1);',
      replace: '',
    },
    {
      name: 'a pause is an execution',
      find: "if (this.planned.move.kind !== 'pause') this.trialState.count",
      replace: 'this.trialState.count',
    },
    { name: 'retries are not counted', find: 'trialState.count(COUNTER.retries, 1);', replace: '' },
    { name: 'timeouts are not counted', find: 'trialState.count(COUNTER.workflowTimeouts, 1);', replace: '' },
    {
      name: 'completions at a leaf are not counted',
      find: 'this.trialState.count(COUNTER.workflowCompletions, 1);',
      replace: '',
    },
    {
      name: 'failures are counted as completions',
      find: 'completed ? COUNTER.workflowCompletions : COUNTER.workflowFailures',
      replace: 'COUNTER.workflowCompletions',
    },
    {
      name: 'a retry counts as an execution',
      find: 'trialState.count(COUNTER.retries, 1);',
      replace: 'trialState.count(COUNTER.retries, 1); trialState.count(COUNTER.nodeExecutions, 1);',
    },
  ]),
  ...defectsIn('engine/moves.ts', [
    {
      name: 'an edge without a label answers every branch',
      find: 'node.routes.get(move.branch) ?? null',
      replace: 'node.routes.get(move.branch) ?? node.routes.get(undefined) ?? null',
    },
  ]),
  ...defectsIn('engine/choose-edge.ts', [
    { name: 'the first of several edges is taken', find: 'if (candidates > 1) return { candidates };', replace: '' },
    {
      name: 'loops go round once too often',
      find: '>= edge.maxIterations) continue;',
      replace: '> edge.maxIterations) continue;',
    },
    {
      name: 'loops go round once too little',
      find: '>= edge.maxIterations) continue;',
      replace: '>= edge.maxIterations - 1) continue;',
    },
  ]),
  ...defectsIn('engine/retry.ts', [
    {
      name: 'retries go on once too often',
      find: 'attempt >= retry.maxAttempts',
      replace: 'attempt > retry.maxAttempts',
    },
    {
      name: 'retries stop once too early',
      find: 'attempt >= retry.maxAttempts',
      replace: 'attempt >= retry.maxAttempts - 1',
    },
    { name: 'denials are retried', find: " || category === 'policy'", replace: '' },
    { name: 'back-off is ignored', find: 'retry.backoffMs * 1000 * attempt', replace: '0' },
    { name: 'back-off does not grow', find: 'retry.backoffMs * 1000 * attempt', replace: 'retry.backoffMs * 1000' },
    {
      name: 'back-off doubles',
      find: 'retry.backoffMs * 1000 * attempt',
      replace: 'retry.backoffMs * 1000 * 2 ** (attempt - 1)',
    },
    {
      name: 'jitter is ignored',
      find: 'if (retry.jitter <= 0) return waitUs;',
      replace: 'return waitUs;',
      noticedBy: 'passed',
    },
    {
      name: 'transient retries every error',
      find: "return retry.on === 'any' || TRANSIENT.includes(category);",
      replace: 'return true;',
    },
    {
      name: 'any retries only transient errors',
      find: "return retry.on === 'any' || TRANSIENT",
      replace: 'return TRANSIENT',
    },
  ]),
];
