import { defectsIn, type Saboteur } from '../saboteur.ts';

/** Defects of the model nodes and of what is counted about their requests. */
export const modelDefects: readonly Saboteur[] = [
  ...defectsIn('engine/note-answer.ts', [
    { name: 'denials are not counted', find: 'trialState.count(COUNTER.policyDenials, 1);', replace: '' },
    {
      name: 'denials are counted twice',
      find: 'trialState.count(COUNTER.policyDenials, 1);',
      replace: 'trialState.count(COUNTER.policyDenials, 2);',
    },
    {
      name: 'denials inside agent loops are not counted',
      find: 'trialState.count(COUNTER.policyDenials, 1);',
      replace: 'if (!node.isLoop) trialState.count(COUNTER.policyDenials, 1);',
    },
    {
      name: 'tokens are doubled',
      find: 'promptTokens + completionTokens);',
      replace: '2 * (promptTokens + completionTokens));',
    },
    {
      name: 'prompt tokens are dropped',
      find: 'promptTokens + completionTokens);',
      replace: 'completionTokens);',
    },
    {
      name: 'completion tokens are dropped',
      find: 'promptTokens + completionTokens);',
      replace: 'promptTokens);',
    },
    {
      name: 'prompt tokens are not counted apart',
      find: 'trialState.count(COUNTER.promptTokens, promptTokens);',
      replace: '',
    },
    {
      name: 'completion tokens are counted as prompt tokens',
      find: 'trialState.count(COUNTER.completionTokens,',
      replace: 'trialState.count(COUNTER.promptTokens,',
    },
    { name: 'model calls are not counted', find: 'trialState.count(COUNTER.llmCalls, 1);', replace: '' },
    { name: 'written bytes are not counted', find: "typeof bytes === 'number' ? bytes : 0", replace: '0' },
    { name: 'faults are not counted', find: 'trialState.count(COUNTER.faults, 1);', replace: '' },
    { name: 'faults are not observed', find: 'observe(walk, FAULT_BIT);', replace: '', noticedBy: 'observed' },
    {
      name: 'injections are not observed',
      find: 'if (walk.address.fromModel) observe(walk, INJECTION_BIT);',
      replace: '',
      noticedBy: 'observed',
    },
    {
      name: 'every denial is an injection',
      find: 'if (walk.address.fromModel) observe',
      replace: 'observe',
      noticedBy: 'observed',
    },
  ]),
  ...defectsIn('engine/note-request.ts', [
    {
      name: 'the token budget is ignored',
      find: 'if (used < maxTokens) return null;',
      replace: 'if (used < Infinity) return null;',
    },
    {
      name: 'the token budget ends before it is reached',
      find: 'if (used < maxTokens) return null;',
      replace: 'if (used < maxTokens - 1) return null;',
    },
    {
      name: 'repairs are not counted',
      find: 'if (request.repair) trialState.count',
      replace: 'if (false) trialState.count',
    },
    {
      name: 'tool calls are not counted',
      find: 'if (node.isLoop && isCall(request)) trialState.count',
      replace: 'if (false) trialState.count',
    },
    {
      name: 'only the first message is a prompt',
      find: "request.messages.map(({ parts }) => textOf(parts)).join('\\n')",
      replace: 'textOf(request.messages[0]?.parts ?? [])',
    },
  ]),
  ...defectsIn('engine/nodes/llm-infer.ts', [
    { name: 'repairs go on once too often', find: 'attempt + 1 >= attempts', replace: 'attempt >= attempts' },
    { name: 'repairs stop once too early', find: 'attempt + 1 >= attempts', replace: 'attempt + 2 >= attempts' },
    {
      name: 'a repair does not say what is wrong',
      find: '`That answer cannot be used: ${reason}.',
      replace: '`That answer cannot be used.',
    },
    { name: 'a repair forgets the conversation', find: '[...messages, ...repair]', replace: 'repair' },
    {
      name: 'a repair does not show the rejected answer',
      find: "{ role: 'assistant', parts: reply.parts },",
      replace: '',
    },
    {
      name: 'prompts are not rendered',
      find: 'const prompt = render(input);',
      replace: 'const prompt: string | null = config.prompt;',
    },
    { name: 'an answer loses its text', find: 'output: { content, parsed', replace: "output: { content: '', parsed" },
    { name: 'an answer loses its value', find: 'parsed: answer.value', replace: 'parsed: null' },
    { name: 'usage loses the prompt', find: 'prompt_tokens: promptTokens', replace: 'prompt_tokens: 0' },
    { name: 'any backend will do', find: 'backends.includes(backend) ? null', replace: 'true ? null' },
    {
      name: 'a missing input stops an inference',
      find: 'begin: ([input = null]) => {',
      replace:
        "begin: ([input]) => {\n        if (input === undefined && inputFrom !== undefined) return errorMove('tool', 'missing');",
    },
  ]),
  ...defectsIn('engine/answer.ts', [
    { name: 'schemas are not enforced', find: 'found.length === 0 ? parsed', replace: 'true ? parsed' },
    {
      name: 'answers need not be JSON',
      find: 'if (!parsed.ok) return { ok: false,',
      replace: 'if (!parsed.ok) return { ok: true, value: null,',
    },
    {
      name: 'answers are parsed without being asked to',
      find: 'if (schema === undefined) return () => TEXT;',
      replace:
        'if (schema === undefined) return (content) => { const parsed = parseJsonText(content); return parsed.ok ? parsed : TEXT; };',
    },
    { name: 'a broken schema is not said', find: '`schema violation: ${found.join', replace: '`wrong: ${found.join' },
  ]),
  ...defectsIn('engine/loop/loop.ts', [
    {
      name: 'an agent loop takes one step too many',
      find: 'state.steps >= this.maxSteps',
      replace: 'state.steps > this.maxSteps',
    },
    {
      name: 'an agent loop takes one step too few',
      find: 'state.steps >= this.maxSteps',
      replace: 'state.steps >= this.maxSteps - 1',
    },
    {
      name: 'an agent loop may use tools it does not list',
      find: 'this.tools.includes(tool) ? LOOP_TOOLS',
      replace: 'true ? LOOP_TOOLS',
    },
    { name: 'an agent loop loses its result', find: 'result: action.result', replace: 'result: null' },
    { name: 'an agent loop ignores its token limit', find: 'state.spent >= this.maxTokens', replace: 'false' },
    {
      name: 'an exhausted loop takes no branch',
      find: "transcript }, branch: 'exhausted' }",
      replace: 'transcript } }',
    },
    {
      name: 'an exhausted loop does not say why',
      find: '{ result: null, reason, steps',
      replace: '{ result: null, steps',
    },
    {
      name: 'an agent loop does not tell what a tool gave',
      find: '{ tool_result: result }',
      replace: '{ tool_result: null }',
    },
    {
      name: 'an agent loop does not tell a refusal',
      find: 'result: { error },',
      replace: 'result: {},',
    },
    {
      name: 'an agent loop forgets its transcript',
      find: 'transcript: [...state.transcript, { step: state.steps, ...entry }]',
      replace: 'transcript: [{ step: state.steps, ...entry }]',
    },
    { name: 'a refused tool is told as done', find: 'tool, args, ok: false }', replace: 'tool, args, ok: true }' },
    {
      name: 'an agent loop forgets what was said',
      find: "messages: [...state.messages, { role: 'assistant', parts }]",
      replace: 'messages: state.messages',
    },
    {
      name: 'an agent loop counts no tokens',
      find: 'spent: state.spent + promptTokens + completionTokens',
      replace: 'spent: 0',
    },
    {
      name: 'a spent budget stops an agent loop with an error',
      find: "reply.spent === true ? exhausted(state, 'run token budget exhausted') : replyError(reply)",
      replace: 'replyError(reply)',
    },
    {
      name: 'an agent loop ignores its instructions',
      find: "textMessage('user', task)",
      replace: "textMessage('user', '')",
    },
  ]),
  ...defectsIn('engine/loop/loop-action.ts', [
    {
      name: 'an action must stand alone',
      find: 'const text = firstObject(content);',
      replace: "const text = content.startsWith('{') ? content : null;",
    },
    {
      name: 'braces in strings end an action',
      find: "else if (char === '\"') inString = false;\n    } else if (char === '\"') inString = true;",
      replace: "else if (char === '\"') inString = false;\n    } else if (char === '\\u0000') inString = true;",
    },
    { name: 'any action is final', find: "if (action === 'final') return", replace: "if (action !== 'tool') return" },
  ]),
  ...defectsIn('engine/loop/loop-tools.ts', [
    { name: 'read_file in a loop shows too much', find: "pick(value, ['path', 'content'])", replace: 'value' },
    {
      name: 'a tool takes arguments that are no text',
      find: "if (typeof text !== 'string') return",
      replace: 'if (text === undefined) return',
    },
    {
      name: 'a program in a loop gets no arguments',
      find: "list.filter((item) => typeof item === 'string')",
      replace: '[]',
    },
  ]),
];
