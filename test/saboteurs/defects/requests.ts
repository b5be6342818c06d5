import { defectsIn, type Saboteur } from '../saboteur.ts';

/** Defects of what is seen and judged of requests that leave the workflow, and of denials. */
export const requestDefects: readonly Saboteur[] = [
  ...defectsIn('engine/keep-request.ts', [
    {
      name: 'denied requests went out',
      find: 'if (at >= 0) requests.splice(at, 1);',
      replace: '',
    },
    {
      name: 'requests that are not whole went out',
      find: "if ('invalid' in request && request.invalid !== undefined) return;",
      replace: '',
    },
    { name: 'requests to programs are not seen', find: " && request.port !== 'process'", replace: '' },
    { name: 'denials are not seen', find: 'denials.push({ node: node.id, message });', replace: '' },
    {
      name: 'requests lose their node',
      find: 'requests.push({ node: node.id, request });',
      replace: "requests.push({ node: '', request });",
    },
  ]),
  ...defectsIn('engine/trial-state.ts', [
    { name: 'requests are kept from trial to trial', find: 'this.requests.length = 0;', replace: '' },
    { name: 'denials are kept from trial to trial', find: 'this.denials.length = 0;', replace: '' },
  ]),
  ...defectsIn('trial/compile-trial.ts', [
    {
      name: 'runs by schedule are observed as manual ones',
      find: 'bitOf(`trigger_${kind}`)',
      replace: "bitOf(`trigger_${kind === 'cron' ? 'manual' : kind}`)",
      noticedBy: 'observed',
    },
    {
      name: 'runs by changes of files are observed as manual ones',
      find: 'bitOf(`trigger_${kind}`)',
      replace: "bitOf(`trigger_${kind === 'fs_watch' ? 'manual' : kind}`)",
      noticedBy: 'observed',
    },
  ]),
  ...defectsIn('checks/occurrence.ts', [
    { name: 'what must happen need not', find: 'count >= atLeast', replace: 'true', noticedBy: 'passed' },
    {
      name: 'what must not happen may',
      find: '(atMost === null || count <= atMost)',
      replace: 'true',
      noticedBy: 'passed',
    },
    { name: 'at least is more than', find: 'count >= atLeast', replace: 'count > atLeast' },
    { name: 'at most is less than', find: 'count <= atMost', replace: 'count < atMost' },
  ]),
  ...defectsIn('checks/request-check.ts', [
    {
      name: 'expected requests always hold',
      find: 'isMet(count, fitting(view).length)',
      replace: 'true',
      noticedBy: 'passed',
    },
  ]),
  ...defectsIn('checks/request-test.ts', [
    {
      name: 'the node of an expected request is ignored',
      find: '(node === undefined || sent.node === node) && ',
      replace: '',
    },
    {
      name: 'expected HTTP requests are never found',
      find: 'fitsHttp(match, request)',
      replace: 'false',
    },
    {
      name: 'expected runs of programs are any request',
      find: "request.port === 'process' && fits(request)",
      replace: "request.port !== 'process' || fits(request)",
    },
    { name: 'expected calls to MCP servers are any call', find: 'fitsMcp(match, request)', replace: 'true' },
  ]),
  ...defectsIn('checks/sequence-check.ts', [
    {
      name: 'a sequence may come in any order',
      find: 'reached(view) === tests.length',
      replace: 'tests.every((fits) => view.requests().some(fits))',
      noticedBy: 'passed',
    },
    {
      name: 'a sequence may not be interrupted',
      find: 'if (tests[step]?.(sent) === true) step++;',
      replace: 'step = tests[step]?.(sent) === true ? step + 1 : 0;',
    },
  ]),
  ...defectsIn('checks/denial-check.ts', [
    {
      name: 'the words of a denial are ignored',
      find: 'filter(({ message }) => fits(message))',
      replace: 'filter(() => true)',
    },
  ]),
  ...defectsIn('checks/compile-checks.ts', [
    {
      name: 'reason_equals asks for another text',
      find: "reasonCheck('reason_equals', reasonEquals)",
      replace: "reasonCheck('reason_equals', `${reasonEquals}?`)",
    },
    {
      name: 'reason_matches asks for another pattern',
      find: '{ matches: reasonMatches }',
      replace: '{ matches: `${reasonMatches}#never` }',
    },
  ]),
  ...defectsIn('checks/respond-checks.ts', [
    { name: 'no reply is any reply', find: "expected === 'none'", replace: 'false', noticedBy: 'passed' },
  ]),
];
