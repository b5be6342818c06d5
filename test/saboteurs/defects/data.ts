import { defectsIn, type Saboteur } from '../saboteur.ts';

/** Defects of the nodes that only compute, and of what they share. */
export const dataDefects: readonly Saboteur[] = [
  ...defectsIn('engine/nodes/json-select.ts', [
    { name: 'json_select always gives null', find: 'value: value ?? null', replace: 'value: null' },
    { name: 'json_select claims to have found everything', find: 'found: value !== undefined', replace: 'found: true' },
    {
      name: 'json_select ignores its path',
      find: 'selectSegments(input, segments);',
      replace: 'selectSegments(input, []);',
    },
    { name: 'json_select takes a missing input for null', find: 'return notSet(inputFrom);', replace: 'input = null;' },
  ]),
  ...defectsIn('engine/template.ts', [
    { name: 'templates render empty', find: 'return rendered;', replace: "return '';" },
    {
      name: 'templates leave every marker as it is',
      find: 'found === undefined ? part.text : plainText(found)',
      replace: 'part.text',
    },
    { name: 'templates drop markers that lead nowhere', find: 'text: `{{${key}}}`', replace: "text: ''" },
    {
      name: 'templates escape what they insert',
      find: 'part.text : plainText(found);',
      replace: "part.text : plainText(found).replaceAll('<', '&lt;');",
    },
    {
      name: 'templates look again at what they inserted',
      find: 'part.text : plainText(found);',
      replace: "part.text : plainText(found).replace(/\\{\\{(\\w+)\\}\\}/g, (all, key) => ownEntry(data, key) ?? '');",
    },
    {
      name: 'templates insert only text',
      find: 'plainText(found);',
      replace: "(typeof found === 'string' ? found : '');",
    },
    {
      name: 'templates do not trim keys',
      find: 'text.slice(open + 2, close).trim()',
      replace: 'text.slice(open + 2, close)',
    },
    { name: 'the empty key is a miss', find: "if (key === '') return (data) => data;", replace: '' },
    { name: 'prompts index arrays', find: "if (mode === 'value') {", replace: 'if (true) {' },
  ]),
  ...defectsIn('engine/diff-json.ts', [
    {
      name: 'diff says unchanged',
      find: 'unchanged: added.length + removed.length + changed.length === 0',
      replace: 'unchanged: true',
    },
    { name: 'diff drops what was removed', find: 'removed: Object.fromEntries(removed)', replace: 'removed: {}' },
    { name: 'diff drops what was added', find: 'added: Object.fromEntries(added)', replace: 'added: {}' },
    { name: 'diff drops what changed', find: 'changed: Object.fromEntries(changed)', replace: 'changed: {}' },
    { name: 'diff swaps before and after', find: '{ from: left, to: right }', replace: '{ from: right, to: left }' },
    { name: 'diff names the root by the empty path', find: "path === '' ? '$' : path", replace: 'path' },
    {
      name: 'diff does not look into arrays',
      find: 'if (isJsonArray(left) && isJsonArray(right)) return compareArrays(path, left, right, found);',
      replace: '',
    },
    {
      name: 'diff ignores the tail of a longer array',
      find: 'for (let i = shared; i < right.length; i++)',
      replace: 'for (let i = shared; i < shared; i++)',
    },
  ]),
  ...defectsIn('engine/nodes/diff-compute.ts', [
    { name: 'diff takes a missing right side for null', find: 'return notSet(rightFrom);', replace: 'right = null;' },
  ]),
  ...defectsIn('engine/nodes/parse-json.ts', [
    { name: 'parse_json gives the text back', find: '{ parsed: parsed.value }', replace: '{ parsed: text }' },
    {
      name: 'parse_json takes invalid JSON for null',
      find: 'if (!parsed.ok) return errorMove(',
      replace: "if (!parsed.ok) return { kind: 'done', output: { parsed: null } }; errorMove(",
    },
  ]),
  ...defectsIn('engine/parse-json-text.ts', [
    {
      name: 'JSON is read as JavaScript reads it',
      find: 'const problem = findJsonProblem(text);',
      replace: 'let problem = null; try { JSON.parse(text); } catch { problem = findJsonProblem(text); }',
    },
  ]),
  ...defectsIn('engine/label.ts', [
    { name: 'an empty list is true', find: 'return value.length > 0;', replace: 'return true;' },
    { name: 'an empty object is true', find: 'return Object.keys(value).length > 0;', replace: 'return true;' },
    {
      name: 'the text "false" is false',
      find: 'return Boolean(value);',
      replace: "return Boolean(value) && value !== 'false';",
    },
    { name: 'every scalar is true', find: 'return Boolean(value);', replace: 'return value !== null;' },
    { name: 'a list is labelled as an object', find: "return 'array';", replace: "return 'object';" },
    { name: 'an object is labelled by its JSON', find: "if (isJsonObject(value)) return 'object';", replace: '' },
    {
      name: 'a number has no label',
      find: 'return scalarText(value);',
      replace: "return typeof value === 'number' ? '' : scalarText(value);",
    },
  ]),
  ...defectsIn('engine/nodes/condition.ts', [
    { name: 'condition branches the wrong way', find: "? 'true' : 'false'", replace: "? 'false' : 'true'" },
    { name: 'condition loses the value', find: 'output: { value }', replace: 'output: { value: null }' },
  ]),
  ...defectsIn('engine/nodes/switch.ts', [
    { name: 'switch lowers the case of labels', find: 'labelOf(value)', replace: 'labelOf(value).toLowerCase()' },
    { name: 'switch trims labels', find: 'labelOf(value)', replace: 'labelOf(value).trim()' },
    { name: 'switch loses the value', find: 'output: { value }', replace: 'output: { value: null }' },
  ]),
  ...defectsIn('engine/nodes/merge.ts', [
    { name: 'merge gives an object', find: 'output: null', replace: 'output: {}' },
  ]),
  ...defectsIn('engine/nodes/fail.ts', [
    { name: 'fail loses its reason', find: "status: 'failed', reason }", replace: "status: 'failed' }" },
    { name: 'fail has another default reason', find: "reason = 'workflow failed'", replace: "reason = 'failed'" },
    { name: 'fail completes', find: "status: 'failed'", replace: "status: 'completed'" },
  ]),
  ...defectsIn('engine/nodes/terminate.ts', [
    { name: 'terminate fails', find: "status: 'completed'", replace: "status: 'failed'" },
  ]),
  ...defectsIn('engine/nodes/respond.ts', [
    {
      name: 'respond renders from the trigger entry',
      find: "{ from: 'payload' }",
      replace: "{ from: 'path', path: 'trigger' }",
    },
    { name: 'respond has another default status', find: 'status = 200', replace: 'status = 201' },
    { name: 'respond has another default content type', find: "= 'application/json'", replace: "= 'text/plain'" },
    { name: 'respond counts characters as bytes', find: 'Buffer.byteLength(body)', replace: 'body.length' },
    { name: 'respond sends nothing', find: 'response: { status, contentType, body },', replace: '' },
    { name: 'respond sends the template', find: 'contentType, body }', replace: 'contentType, body: bodyTemplate }' },
    {
      name: 'respond takes a missing input for null',
      find: 'const data = inputFrom === undefined ? (found ?? null) : found;',
      replace: 'const data = found ?? null;',
    },
  ]),
  ...defectsIn('engine/error-move.ts', [
    {
      name: 'a value of the wrong type is told as missing',
      find: "return errorMove('tool', `path \\`${path}\\` must resolve",
      replace: "return notSet(path); return errorMove('tool', `path \\`${path}\\` must resolve",
    },
  ]),
  ...defectsIn('values/json-text.ts', [
    {
      name: 'JSON text keeps the order of keys',
      find: 'if (sorted) keys.sort(byCodePoint);',
      replace: '',
    },
  ]),
  ...defectsIn('values/select-path.ts', [
    {
      name: 'paths do not enter arrays',
      find: 'if (isJsonArray(value)) return value[arrayIndex(segment)];',
      replace: 'if (isJsonArray(value)) return undefined;',
    },
    {
      name: 'paths find what every object inherits',
      find: 'Object.hasOwn(value, segment) ? value[segment] : undefined',
      replace: '(value as Record<string, Json>)[segment]',
    },
  ]),
];
