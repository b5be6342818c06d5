import { defectsIn, type Saboteur } from '../saboteur.ts';

/** Defects of mocks: of what they fit, in which order they answer, and what they tell a subject. */
export const mockDefects: readonly Saboteur[] = [
  ...defectsIn('matching/http-match.ts', [
    {
      name: 'HTTP mocks ignore the method',
      find: '(methods.length === 0 || methods.includes(method.toUpperCase())) &&',
      replace: '',
    },
    {
      name: 'HTTP mocks know one method each',
      find: 'methods.includes(method.toUpperCase())',
      replace: 'methods[0] === method.toUpperCase()',
    },
    {
      name: 'HTTP mocks ignore the URL',
      find: '(url === null || url.matches(hasQuery === null ? target : withoutQuery(target))) &&',
      replace: '',
    },
    { name: 'URL patterns of mocks are ignored', find: 'urlMatches(target.href)', replace: 'true' },
    { name: 'queries of mocks are ignored', find: 'hasQuery(target)', replace: 'true' },
    {
      name: 'a URL is compared with its query although that is asked for apart',
      find: 'hasQuery === null ? target : withoutQuery(target)',
      replace: 'target',
    },
    {
      name: 'one value of a repeated parameter is enough',
      find: 'tests.every((test) => values.some(test))',
      replace: 'tests.some((test) => values.some(test))',
    },
    {
      name: 'header names keep their case in matches',
      find: 'header.toLowerCase() === name',
      replace: 'header === name',
    },
    { name: 'header values are ignored in matches', find: ' && test(value)', replace: '' },
    {
      name: 'whole bodies are ignored in matches',
      find: 'if (equals !== undefined && text !== equals) return false;',
      replace: '',
    },
    { name: 'parts of bodies are ignored in matches', find: 'return fits(text) &&', replace: 'return' },
    {
      name: 'JSON bodies are ignored in matches',
      find: '(json === undefined || holdsJson(parse(text), json))',
      replace: 'true',
    },
  ]),
  ...defectsIn('matching/text-match.ts', [
    { name: 'whole texts need only be contained', find: 'text === match', replace: 'text.includes(match)' },
    {
      name: 'what a text must contain is ignored',
      find: '(contains === undefined || text.includes(contains)) &&',
      replace: '',
    },
    { name: 'what a text must match is ignored', find: 'matches(text))', replace: 'true)' },
  ]),
  ...defectsIn('matching/url-match.ts', [
    { name: 'a star in a URL crosses segments', find: "'[^/?]*'", replace: "'.*'" },
    {
      name: 'a star in a URL is an ordinary character',
      find: "if (!pathOf(text).includes('*')) {",
      replace: 'if (true) {',
    },
    { name: 'a star in a URL fits any host', find: 'origin === url.origin && ', replace: '' },
  ]),
  ...defectsIn('values/holds-json.ts', [
    {
      name: 'JSON that is held must be all there is',
      find: 'if (!isJsonObject(part)) return',
      replace: 'if (true) return',
    },
    { name: 'lists that are held may be longer', find: 'value.length === part.length &&', replace: '' },
  ]),
  ...defectsIn('matching/process-match.ts', [
    {
      name: 'process mocks ignore the command',
      find: '(command === null || resolve(request.command) === command)',
      replace: 'true',
    },
    {
      name: 'process mocks ignore arguments',
      find: "args.every((fits, at) => fits(request.args[at] ?? ''))",
      replace: 'true',
    },
    {
      name: 'process mocks ignore the number of arguments',
      find: 'args.length === request.args.length &&',
      replace: '',
    },
    {
      name: 'one of the arguments that must be there is enough',
      find: 'among.every((fits) => request.args.some(fits))',
      replace: '(among.length === 0 || among.some((fits) => request.args.some(fits)))',
    },
  ]),
  ...defectsIn('matching/mcp-match.ts', [
    { name: 'MCP mocks ignore arguments', find: 'holdsJson(request.args, args)', replace: 'true' },
  ]),
  ...defectsIn('effects/mock-uses.ts', [
    {
      name: 'mocks answer for ever',
      find: 'if (before >= mock.times || !fits(mock)) continue;',
      replace: 'if (!fits(mock)) continue;',
    },
    { name: 'mocks give their first reply only', find: 'Math.min(before, mock.answers.length - 1)', replace: '0' },
    {
      name: 'the first reply comes after the last',
      find: 'Math.min(before, mock.answers.length - 1)',
      replace: 'before % mock.answers.length',
    },
    {
      name: 'replies that are used up repeat',
      find: "mock.afterLast === 'error' ? [...answers, afterLast] : answers",
      replace: 'answers',
    },
    { name: 'mocks remember the trial before', find: 'this.counts.fill(0);', replace: '' },
    {
      name: 'later mocks come first',
      find: 'for (const mock of mocks) {',
      replace: 'for (const mock of mocks.toReversed()) {',
    },
  ]),
  ...defectsIn('effects/mock-http.ts', [
    {
      name: 'HTTP mocks ignore headers and bodies',
      find: 'mock.fitsContent(request)',
      replace: 'true || mock.slot === request.url.length',
    },
    {
      name: 'HTTP replies take no time',
      find: "valueAnswer(httpOutput(reply), 'mock', reply.delayMs * 1000)",
      replace: "valueAnswer(httpOutput(reply), 'mock', 0)",
    },
    { name: 'HTTP failures take no time', find: "'tool', delayMs * 1000", replace: "'tool', 0" },
    {
      name: 'HTTP mocks never fail',
      find: 'if (reply.error !== undefined) return',
      replace: 'if (false as boolean) return',
    },
    { name: 'HTTP headers keep their case', find: '[name.toLowerCase(), value]', replace: '[name, value]' },
  ]),
  ...defectsIn('effects/outside-errors.ts', [
    {
      name: 'HTTP that times out is refused',
      find: 'read ${place}: no answer',
      replace: 'connect ${place}: ${OS_ERROR.refused}',
    },
    {
      name: 'a host that is not found refuses',
      find: 'resolve ${visibleText(hostAndPort(origin))}: failed to lookup address information: Name or service not known',
      replace: 'connect ${place}: ${OS_ERROR.refused}',
    },
    {
      name: 'an MCP server that answers an error is down',
      find: 'answered error ${error.code}: ${visibleText(error.message)}',
      replace: 'is not there',
    },
  ]),
  ...defectsIn('effects/mock-processes.ts', [
    { name: 'programs are never stopped', find: 'delayMs > timeoutMs', replace: 'false' },
    { name: 'programs that hang end', find: 'reply.hangs || ', replace: '' },
    { name: 'programs that hang print nothing', find: 'timedOut && !reply.hangs', replace: 'timedOut' },
    { name: 'programs end without a signal', find: '(reply.signal ?? null)', replace: 'null' },
    {
      name: 'programs always start',
      find: 'if (error !== undefined) return errorAnswer',
      replace: 'if (false as boolean) return errorAnswer',
    },
    {
      name: 'programs take no time',
      find: "valueAnswer(output, 'mock', durationMs * 1000)",
      replace: "valueAnswer(output, 'mock', 0)",
    },
    { name: 'programs print nothing', find: "isSilent ? '' : reply.stdout", replace: "''" },
  ]),
  ...defectsIn('effects/mock-mcp.ts', [
    {
      name: 'MCP tools give no structured content',
      find: 'structured: reply.structured }',
      replace: 'structured: null }',
    },
    {
      name: 'MCP tools take no time',
      find: "valueAnswer(output, 'mock', reply.delayMs * 1000)",
      replace: "valueAnswer(output, 'mock', 0)",
    },
    { name: 'MCP tools never fail on the way', find: 'reply.error === undefined', replace: 'true' },
    { name: 'MCP servers are always there', find: 'error === undefined ? null : fail(error, 0)', replace: 'null' },
  ]),
];
