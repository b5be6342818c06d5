import { defectsIn, type Saboteur } from '../saboteur.ts';

/** Defects of composition: what children are given, what they give back, and when. */
export const childDefects: readonly Saboteur[] = [
  ...defectsIn('engine/compile.ts', [
    {
      name: 'retry applies to composition',
      find: 'engineRun === true ? null : (node.retry ?? null)',
      replace: 'node.retry ?? null',
    },
    {
      name: 'a workflow starts at its first start node',
      find: 'entries.set(name, positionOf(',
      replace: 'entries.set(name, [...entries.values()][0] ?? positionOf(',
    },
  ]),
  ...defectsIn('engine/engine.ts', [
    {
      name: "a child's start node is ignored",
      find: 'run.start === undefined ? graph.firstEntry',
      replace: 'true ? graph.firstEntry',
    },
    { name: 'starts are not counted', find: 'trialState.count(COUNTER.workflowStarts, 1);', replace: '' },
  ]),
  ...defectsIn('engine/drive.ts', [
    {
      name: 'concurrent children take their times together',
      find: 'run, element, this.groupStartUs)',
      replace: 'run, element, this.groupEndUs)',
    },
    {
      name: 'all children run at once',
      find: 'element > 0 && element % this.request.maxConcurrent === 0',
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
