import { defectsIn, type Saboteur } from '../saboteur.ts';

/** Defects of the walk: routing, loops, endings, retry, time, children, and what one trial leaves to the next. */
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
      find: 'if (this.steps >= MAX_STEPS || session.totalVisits >= MAX_VISITS) {',
      replace: 'if (session.totalVisits >= MAX_VISITS) {',
    },
    {
      name: 'a walk takes one step too many',
      find: 'if (this.steps >= MAX_STEPS || ',
      replace: 'if (this.steps > MAX_STEPS || ',
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
    { name: 'back-off takes no time', find: 'if (session.realTime === null) this.clockUs += waitUs;', replace: '' },
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
      find: 'this.deadlineUs = this.nowUs() + this.session.rules.timeoutUs;',
      replace: '',
    },
    {
      name: 'a node named trigger does not replace the trigger',
      find: 'if (node.index === this.graph.triggerNode)',
      replace: 'if (false)',
    },
    {
      name: 'a denial counts again at every caller',
      find: 'session.count(COUNTER.nodeFailures, 1);',
      replace:
        "session.count(COUNTER.nodeFailures, 1);\n    if (category === 'policy' && this.request?.port === 'children') session.count(COUNTER.policyDenials, 1);",
    },
    { name: 'failed nodes are not counted', find: 'session.count(COUNTER.nodeFailures, 1);', replace: '' },
    {
      name: 'executions are not counted',
      find: 'this.session.count(COUNTER.nodeExecutions, 1);',
      replace: '',
    },
    {
      name: 'a pause is an execution',
      find: "if (this.planned.move.kind !== 'pause') this.session.count",
      replace: 'this.session.count',
    },
    { name: 'retries are not counted', find: 'session.count(COUNTER.retries, 1);', replace: '' },
    { name: 'timeouts are not counted', find: 'session.count(COUNTER.workflowTimeouts, 1);', replace: '' },
    {
      name: 'completions at a leaf are not counted',
      find: 'this.session.count(COUNTER.workflowCompletions, 1);',
      replace: '',
    },
    {
      name: 'failures are counted as completions',
      find: 'completed ? COUNTER.workflowCompletions : COUNTER.workflowFailures',
      replace: 'COUNTER.workflowCompletions',
    },
    {
      name: 'a retry counts as an execution',
      find: 'session.count(COUNTER.retries, 1);',
      replace: 'session.count(COUNTER.retries, 1); session.count(COUNTER.nodeExecutions, 1);',
    },
  ]),
  ...defectsIn('engine/walk-state.ts', [
    {
      name: 'a reply is kept when the run does not complete',
      find: "if (status !== 'completed') this.response = null;",
      replace: '',
      noticedBy: 'passed',
    },
    { name: 'loop counters stay from trial to trial', find: 'this.loops.fill(0);', replace: '' },
    { name: 'visits stay from trial to trial', find: 'this.visits.fill(0);', replace: '', noticedBy: 'passed' },
    {
      name: 'the reply stays from trial to trial',
      find: 'this.response = null;\n    this.node = null;',
      replace: 'this.node = null;',
      noticedBy: 'passed',
    },
    {
      name: 'the final value stays from trial to trial',
      find: 'this.finalValue = null;\n    this.finalFromModel',
      replace: 'this.finalFromModel',
      noticedBy: 'passed',
    },
    {
      name: 'the errored node stays from trial to trial',
      find: 'this.erroredNode = -1;\n    this.reason',
      replace: 'this.reason',
      noticedBy: 'passed',
    },
    { name: 'the clock runs on from trial to trial', find: 'this.clockUs = times.clockUs;', replace: '' },
    { name: 'steps add up from trial to trial', find: 'this.steps = 0;\n    this.lastNode', replace: 'this.lastNode' },
    {
      name: 'a child has a time limit of its own',
      find: 'deadlineUs: parent.deadlineUs }',
      replace: 'deadlineUs: clockUs + parent.session.rules.timeoutUs }',
    },
    {
      name: "a child's trigger is of another kind",
      find: "triggerEntry('manual', input)",
      replace: "triggerEntry('http', input)",
    },
    {
      name: 'what a child is given does not derive from a model',
      find: ', parent.inputFromModel);',
      replace: ', false);',
      noticedBy: 'observed',
    },
    {
      name: 'what a child gives does not derive from a model',
      find: 'this.inputFromModel = true;',
      replace: '',
      noticedBy: 'observed',
    },
  ]),
  ...defectsIn('engine/context.ts', [
    { name: 'outputs stay from trial to trial', find: 'this.outputs.fill(undefined);', replace: '' },
    {
      name: 'nothing derives from a model',
      find: 'this.fromModel[node] = fromModel ? 1 : 0;',
      replace: 'this.fromModel[node] = 0;',
      noticedBy: 'observed',
    },
    {
      name: 'everything derives from a model',
      find: 'return slot >= 0 ? this.fromModel[slot] === 1 : this.payloadFromModel;',
      replace: 'return true;',
      noticedBy: 'observed',
    },
    {
      name: 'the first output of a node is kept',
      find: 'this.outputs[node] = output;',
      replace: 'this.outputs[node] ??= output;',
    },
    {
      name: 'the payload stands for the trigger',
      find: 'if (slot === TRIGGER_SLOT) return this.trigger;',
      replace: 'if (slot === TRIGGER_SLOT) return this.payload;',
    },
  ]),
  ...defectsIn('engine/session.ts', [
    { name: 'counters stay from trial to trial', find: 'this.counters.fill(0);', replace: '' },
    {
      name: 'prompts stay from trial to trial',
      find: 'if (this.rules.keepPrompts) this.prompts.length = 0;',
      replace: '',
      noticedBy: 'passed',
    },
    {
      name: 'branches stay from trial to trial',
      find: 'this.branchNodes.length = 0;\n      this.branchLabels.length = 0;',
      replace: '',
      noticedBy: 'passed',
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
  ...defectsIn('engine/graph.ts', [
    { name: 'the payload cannot overwrite the kind', find: '{ kind, ...payload }', replace: '{ ...payload, kind }' },
    { name: 'a payload that is no object is lost', find: '{ kind, input: payload }', replace: '{ kind }' },
    { name: 'the kind is lost', find: '{ kind, input: payload }', replace: '{ input: payload }' },
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
  ...defectsIn('engine/compile.ts', [
    {
      name: 'retry applies to composition',
      find: 'ENGINE_RUN.has(node.type) ? null : (node.retry ?? null)',
      replace: 'node.retry ?? null',
    },
    {
      name: 'a workflow starts at its first start node',
      find: 'if (entry !== null && !entries.has(start.name))',
      replace:
        'if (entry !== null && entries.size === 0) workflow.startNodes.forEach((one) => entries.set(one.name, position(entry))); else if (false)',
    },
  ]),
  ...defectsIn('engine/engine.ts', [
    {
      name: "a child's start node is ignored",
      find: 'run.start === undefined ? graph.firstEntry',
      replace: 'true ? graph.firstEntry',
    },
    { name: 'starts are not counted', find: 'session.count(COUNTER.workflowStarts, 1);', replace: '' },
  ]),
  ...defectsIn('engine/drive.ts', [
    {
      name: 'concurrent children take their times together',
      find: 'run, element, this.groupStartUs)',
      replace: 'run, element, this.groupEndUs)',
    },
    {
      name: 'all children run at once',
      find: 'element > 0 && element % maxConcurrent === 0',
      replace: 'false',
    },
    { name: 'children take no time', find: 'this.parent.clockUs = this.groupEndUs;', replace: '' },
    {
      name: 'a failed child has no reason',
      find: "reason: child.reason ?? '' };\n    case 'timed_out'",
      replace: "reason: '' };\n    case 'timed_out'",
    },
  ]),
  ...defectsIn('engine/children.ts', [
    {
      name: 'a child gets the trigger entry by default',
      find: "inputFrom === undefined ? { from: 'payload' }",
      replace: "inputFrom === undefined ? { from: 'path', path: 'trigger' }",
    },
    {
      name: 'results come in reverse',
      find: 'reply.results.map(elementOf)',
      replace: 'reply.results.map(elementOf).toReversed()',
    },
    {
      name: 'results are always ok',
      find: 'const output = { results, ok };',
      replace: 'const output = { results, ok: true };',
    },
    {
      name: 'a failed element takes no error branch',
      find: "{ kind: 'done', output, branch: 'error' }",
      replace: "{ kind: 'done', output }",
    },
    {
      name: 'a failed element has no prefix',
      find: '`sub-workflow failed: ${result.reason}`',
      replace: 'result.reason',
    },
    {
      name: 'a timed out element says nothing',
      find: 'return { error: TIMED_OUT };',
      replace: "return { error: '' };",
    },
    {
      name: 'an errored element counts as its result',
      find: 'return { error: result.message };',
      replace: 'return { result: result.message };',
    },
  ]),
  ...defectsIn('engine/nodes/call.ts', [
    {
      name: 'a failed call takes no error branch',
      find: "{ error: result.reason }, branch: 'error' }",
      replace: '{ error: result.reason } }',
    },
    { name: 'a failed call loses the reason', find: '{ error: result.reason }', replace: "{ error: '' }" },
    {
      name: 'a call that timed out takes no error branch',
      find: "{ error: TIMED_OUT }, branch: 'error' }",
      replace: '{ error: TIMED_OUT } }',
    },
    { name: 'a call loses the result', find: '{ result: result.value }', replace: '{ result: null }' },
    {
      name: 'a call hides the error of its child',
      find: 'message: result.message, verbatim: true',
      replace: "message: 'child failed', verbatim: true",
    },
    {
      name: 'an errored call takes the error branch',
      find: "return { kind: 'error', category: result.category, message: result.message, verbatim: true };",
      replace: "return { kind: 'done', output: { error: result.message }, branch: 'error' };",
    },
  ]),
  ...defectsIn('engine/nodes/map.ts', [
    { name: 'map ignores max_items', find: 'items.length <= maxItems', replace: 'true' },
    { name: 'map takes one item less', find: 'items.length <= maxItems', replace: 'items.length < maxItems' },
    { name: 'map ignores max_concurrent', find: 'Math.max(1, maxConcurrent)', replace: 'DEFAULT_CONCURRENT' },
    { name: 'map has another default concurrency', find: 'DEFAULT_CONCURRENT = 4', replace: 'DEFAULT_CONCURRENT = 3' },
    {
      name: 'map gives every child the first item',
      find: 'childRun(config, item)',
      replace: 'childRun(config, items[0] ?? null)',
    },
    {
      name: 'an empty map fails',
      find: 'output: { results: [], ok: true }',
      replace: 'output: { results: [], ok: false }',
    },
  ]),
  ...defectsIn('engine/nodes/parallel.ts', [
    { name: 'parallel gives every child the first input', find: 'inputs[index] ?? null', replace: 'inputs[0] ?? null' },
    { name: 'parallel runs one child at a time', find: 'maxConcurrent: runs.length', replace: 'maxConcurrent: 1' },
  ]),
];
