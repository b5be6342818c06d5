import { defectsIn, type Saboteur } from '../saboteur.ts';

/** Defects of what judges a trial: a corpus that never uses an expectation would not notice them. */
export const checkDefects: readonly Saboteur[] = [
  ...defectsIn('trial/judge.ts', [
    {
      name: 'a failed check does not fail its trial',
      find: 'if (failed !== null) {',
      replace: 'if (false) {',
      noticedBy: 'passed',
    },
    {
      name: 'only the first check is looked at',
      find: 'for (let i = 0; i < checks.length; i++) {',
      replace: 'for (let i = 0; i < 1; i++) {',
      noticedBy: 'passed',
    },
    {
      name: 'what failing trials show is observed',
      find: 'if (failed !== null) {',
      replace: 'tally.observedLow |= trialState.observedLow;\n  if (failed !== null) {',
      noticedBy: 'observed',
    },
  ]),
  ...defectsIn('checks/status-check.ts', [
    { name: 'status holds for all others', find: 'view.status === expected', replace: 'view.status !== expected' },
  ]),
  ...defectsIn('checks/stopped-by-check.ts', [
    {
      name: 'stopped_by holds for all others',
      find: 'view.stoppedBy === expected',
      replace: 'view.stoppedBy !== expected',
    },
  ]),
  ...defectsIn('checks/last-node-check.ts', [
    {
      name: 'last_node holds for all others',
      find: 'view.lastNode === position',
      replace: 'view.lastNode !== position',
    },
  ]),
  ...defectsIn('checks/errored-node-check.ts', [
    {
      name: 'errored_node holds for all others',
      find: 'view.erroredNode === position',
      replace: 'view.erroredNode !== position',
    },
  ]),
  ...defectsIn('checks/reason-checks.ts', [
    {
      name: 'reasons are never right',
      find: 'reason !== null && holds(reason)',
      replace: 'false',
    },
    { name: 'reasons of failed runs are not seen', find: "view.status === 'failed' || ", replace: '' },
  ]),
  ...defectsIn('checks/path-check.ts', [
    {
      name: 'a path must be longer than what is expected',
      find: 'view.pathLength >= positions.length',
      replace: 'view.pathLength > positions.length + 99',
    },
    {
      name: 'an exact path is never exact',
      find: 'view.pathLength === positions.length',
      replace: 'view.pathLength !== positions.length',
    },
  ]),
  ...defectsIn('checks/forbidden-node-check.ts', [
    { name: 'forbidden nodes must run', find: '!isVisited(view, position)', replace: 'isVisited(view, position)' },
  ]),
  ...defectsIn('checks/branch-check.ts', [
    {
      name: 'branches must not be taken',
      find: 'holds: (view) => position !== UNKNOWN && view',
      replace: 'holds: (view) => position !== UNKNOWN && !view',
    },
  ]),
  ...defectsIn('trial/trial-view.ts', [
    {
      name: 'a branch is known by its label alone',
      find: 'taken === node && branchLabels',
      replace: 'taken !== node && branchLabels',
    },
  ]),
  ...defectsIn('checks/counter-bound-check.ts', [
    {
      name: 'a counter must stay below its highest value',
      find: 'view.counter(counter) <= most',
      replace: 'view.counter(counter) < most',
    },
    {
      name: 'a counter must exceed its lowest value',
      find: 'view.counter(counter) >= least',
      replace: 'view.counter(counter) > least',
    },
  ]),
  ...defectsIn('matching/value-test.ts', [
    {
      name: 'equals holds for other values',
      find: 'return value !== undefined && deepEqual(value, test.value);',
      replace: 'return value !== undefined && !deepEqual(value, test.value);',
    },
    {
      name: 'contains asks for another text',
      find: '{ contains: test.text }',
      replace: '{ contains: `${test.text}#never` }',
    },
    {
      name: 'matches asks for another pattern',
      find: '{ matches: test.pattern }',
      replace: '{ matches: `${test.pattern}#never` }',
    },
    {
      name: 'texts of values are judged the other way round',
      find: 'value !== undefined && holds(testedText(value))',
      replace: 'value !== undefined && !holds(testedText(value))',
    },
    {
      name: 'exists holds for what is missing',
      find: '(value !== undefined) === test.exists',
      replace: '(value === undefined) === test.exists',
    },
    {
      name: 'schema holds for what violates it',
      find: 'violations(value).length === 0;',
      replace: 'violations(value).length > 0;',
    },
  ]),
  ...defectsIn('checks/value-test.ts', [
    {
      name: 'a value is judged once for all trials',
      find: 'if (value === last) return answer;',
      replace: 'if (last !== undefined) return answer;',
      noticedBy: 'passed',
    },
  ]),
  ...defectsIn('checks/value-check.ts', [
    {
      name: 'values of nodes are final values',
      find: 'position === null ? view.finalValue : view.output(position)',
      replace: 'view.finalValue',
    },
    { name: 'paths into values are ignored', find: 'selectSegments(value, segments)', replace: 'value' },
  ]),
  ...defectsIn('checks/respond-checks.ts', [
    {
      name: 'respond status holds for all others',
      find: '(reply) => reply.status === status',
      replace: '(reply) => reply.status !== status',
    },
    {
      name: 'respond content_type holds for all others',
      find: 'reply.contentType === contentType',
      replace: 'reply.contentType !== contentType',
    },
    {
      name: 'respond body holds for all others',
      find: "bodyPart('body', body)",
      replace: "bodyPart('body', `${body}?`)",
    },
    {
      name: 'respond body_contains holds without the text',
      find: '{ contains: bodyContains }',
      replace: '{ contains: `${bodyContains}#never` }',
    },
    {
      name: 'respond body_matches holds without a match',
      find: '{ matches: bodyMatches }',
      replace: '{ matches: `${bodyMatches}#never` }',
    },
  ]),
  ...defectsIn('checks/prompt-check.ts', [
    {
      name: 'prompts contain nothing',
      find: '{ contains }), ...(pattern',
      replace: '{ contains: `${contains}#never` }), ...(pattern',
    },
    {
      name: 'prompts match nothing',
      find: '{ matches: pattern }) },',
      replace: '{ matches: `${pattern}#never` }) },',
    },
    {
      name: 'prompts contain what they must not',
      find: 'notContains !== undefined && text.includes(notContains)',
      replace: 'notContains !== undefined && !text.includes(notContains)',
    },
    {
      name: 'prompts of all nodes are counted together',
      find: 'if (node !== undefined && sender !== node) continue;',
      replace: '',
    },
  ]),
  ...defectsIn('checks/file-checks.ts', [
    {
      name: 'files that exist are missing',
      find: 'holds: (view) => view.file(path) !== null',
      replace: 'holds: (view) => view.file(path) === null',
    },
    {
      name: 'files that are absent are there',
      find: 'holds: (view) => view.file(path) === null',
      replace: 'holds: (view) => view.file(path) !== null',
    },
    { name: 'files contain nothing', find: 'content !== null && holds(content)', replace: 'false' },
  ]),
];
