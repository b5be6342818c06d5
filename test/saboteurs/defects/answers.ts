import { defectsIn, type Saboteur } from '../saboteur.ts';

/** Defects of the answers that stand in for a model: turns, draws and faults. */
export const answerDefects: readonly Saboteur[] = [
  ...defectsIn('intelligence/canned-model.ts', [
    {
      name: 'addressed turns are never served',
      find: 'this.queuesByNode.get(node)) ?? QUEUE',
      replace: 'undefined) ?? QUEUE',
    },
    {
      name: 'addressed turns go to the wrong node',
      find: 'this.queuesByNode.get(node)) ?? QUEUE',
      replace: '1) ?? QUEUE',
    },
    {
      name: 'a repeated turn draws only once',
      find: 'occurrence === 0 ? turn.address',
      replace: 'true ? turn.address',
    },
    {
      name: 'a transport fault uses up a turn',
      find: 'if (this.calls === this.errorOnCall) return this',
      replace:
        'if (this.calls === this.errorOnCall) this.queues[0].advance(this.queues[0].turns[0]);\n    if (this.calls === this.errorOnCall) return this',
    },
    { name: 'a transport fault never fires', find: '(options.intelErrorOnCall ?? 0)', replace: '0' },
    {
      name: 'a transport fault fires on every call from then on',
      find: 'if (this.calls === this.errorOnCall) return this',
      replace: 'if (this.errorOnCall > 0 && this.calls >= this.errorOnCall) return this',
    },
    {
      name: 'calls add up from trial to trial',
      find: '    this.calls = 0;\n    this.served = -1;',
      replace: '    this.served = -1;',
    },
    {
      name: 'every trial draws the same',
      find: 'const { trial } = this;\n    return mix32(mix32(trial ^ this.word0)',
      replace: 'const trial = 0;\n    return mix32(mix32(trial ^ this.word0)',
      noticedBy: 'passed',
    },
    {
      name: 'draws of the last trial are used again',
      find: 'this.trial = trial;',
      replace: 'this.trial ||= trial;',
      noticedBy: 'passed',
    },
    {
      name: 'the reference sampler ties all turns to the first',
      find: 'referenceVariant(this.trial, turn.index,',
      replace: 'referenceVariant(this.trial, 0,',
    },
    { name: 'the reference sampler is ignored', find: "options.sampler === 'reference'", replace: 'false' },
    {
      name: 'the seeded sampler is the reference sampler',
      find: "options.sampler === 'reference'",
      replace: 'true',
      noticedBy: 'passed',
    },
    {
      name: 'the first variant is always served',
      find: 'const variant = turn.variants.length === 1 ? 0 :',
      replace: 'const variant = true ? 0 :',
      noticedBy: 'passed',
    },
    {
      name: 'the first answer of a trial over tables is always the first variant',
      find: 'return shift === 0 ? offset :',
      replace: 'return true ? offset :',
      noticedBy: 'passed',
    },
    {
      name: 'the first turn of a trial over tables is served again',
      find: 'else if (this.firstQueue >= 0) this.advanceFirst(this.begunQueue(this.firstQueue));',
      replace: 'else this.firstQueue = -1;',
      noticedBy: 'passed',
    },
    {
      name: 'turns are served again in the next trial',
      find: 'queue.startIn(this.run);',
      replace: 'queue.startIn(Math.min(this.run, 1));',
    },
  ]),
  ...defectsIn('intelligence/turn-queue.ts', [
    { name: 'turns do not repeat', find: 'if (turn.repeat) {', replace: 'if (false) {' },
    { name: 'every turn repeats', find: 'if (turn.repeat) {', replace: 'if (true) {' },
    {
      name: 'the queue goes on from trial to trial',
      find: 'this.position = 0;\n    this.occurrence = 0;',
      replace: 'this.occurrence = 0;',
    },
  ]),
  ...defectsIn('intelligence/compile-turns.ts', [
    { name: 'weights are ignored', find: '(variant) => variant.weight', replace: '() => 1' },
    { name: 'all turns draw alike', find: "hashText(keys[index] ?? '')", replace: "hashText('')" },
  ]),
  ...defectsIn('intelligence/compile-variant.ts', [
    { name: 'faults of turns never fire', find: 'if (variant.fault === undefined) {', replace: 'if (true) {' },
    { name: 'faults take no time', find: 'delayUs: fault.delayUs, source', replace: 'delayUs: 0, source' },
  ]),
  ...defectsIn('random/weights.ts', [
    {
      name: 'the last variant is never drawn',
      find: 'while (index < thresholds.length - 1',
      replace: 'while (index < thresholds.length - 2',
      noticedBy: 'passed',
    },
  ]),
  ...defectsIn('random/reference-variant.ts', [
    {
      name: "the reference's formula loses its wrap-around",
      find: 'BigInt.asUintN(64, BigInt(trial) * TRIAL_FACTOR)',
      replace: 'BigInt(trial) * TRIAL_FACTOR',
      noticedBy: 'passed',
    },
    { name: "the reference's formula adds instead of xor", find: '(a ^ b)', replace: '(a + b)', noticedBy: 'passed' },
  ]),
  ...defectsIn('faults/backend-down.ts', [
    {
      name: 'backend_down answers',
      find: "apply: () => errorReply('intelligence', 'connection refused (fault backend_down)')",
      replace: 'apply: (_request, reply) => reply',
    },
  ]),
  ...defectsIn('faults/rate-limited.ts', [
    {
      name: 'rate_limited does not say when to come back',
      find: ', retry after ${durationText(retryAfterMs)}',
      replace: '',
    },
    { name: 'rate_limited cannot be retried', find: "'intelligence',", replace: "'timeout'," },
  ]),
  ...defectsIn('faults/timeout.ts', [
    { name: 'timeout takes no time', find: 'delayUs: delayMs * 1000', replace: 'delayUs: 0' },
    { name: 'timeout is a transient error', find: "errorReply('timeout'", replace: "errorReply('intelligence'" },
  ]),
  ...defectsIn('faults/delay.ts', [
    { name: 'delay takes no time', find: 'delayUs: delayMs * 1000', replace: 'delayUs: 0' },
  ]),
  ...defectsIn('faults/malformed.ts', [
    { name: 'malformed leaves the answer as it is', find: '`{malformed: ${content}`', replace: 'content' },
  ]),
  ...defectsIn('faults/truncated.ts', [
    {
      name: 'truncated leaves the answer as it is',
      find: 'points.slice(0, chars ?? Math.floor(points.length * fraction))',
      replace: 'points',
    },
    {
      name: 'truncated ignores its fraction',
      find: 'Math.floor(points.length * fraction)',
      replace: 'Math.floor(points.length * 0.5)',
    },
    { name: 'truncated ignores its characters', find: 'chars ?? Math', replace: 'Math' },
  ]),
  ...defectsIn('faults/empty.ts', [
    { name: 'empty leaves the answer as it is', find: "() => ''", replace: '(content) => content' },
  ]),
];
