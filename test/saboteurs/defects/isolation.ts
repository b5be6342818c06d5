import { defectsIn, type Saboteur } from '../saboteur.ts';

/** Defects of what a run remembers: what one trial leaves to the next, and what it reads of its own. */
export const isolationDefects: readonly Saboteur[] = [
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
    { name: 'steps add up from trial to trial', find: 'this.steps = 0;', replace: '' },
    {
      name: 'a child has a time limit of its own',
      find: 'deadlineUs: parent.deadlineUs }',
      replace: 'deadlineUs: clockUs + parent.trialState.rules.timeoutUs }',
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
  ...defectsIn('engine/trial-state.ts', [
    { name: 'counters stay from trial to trial', find: 'this.counters.fill(0);', replace: '' },
    {
      name: 'prompts stay from trial to trial',
      find: 'this.prompts.length = 0;',
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
  ...defectsIn('engine/graph.ts', [
    { name: 'the payload cannot overwrite the kind', find: '{ kind, ...payload }', replace: '{ ...payload, kind }' },
    { name: 'a payload that is no object is lost', find: '{ kind, input: payload }', replace: '{ kind }' },
    { name: 'the kind is lost', find: '{ kind, input: payload }', replace: '{ input: payload }' },
  ]),
];
