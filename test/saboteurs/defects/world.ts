import { defectsIn, type Saboteur } from '../saboteur.ts';

/** Defects of policy, of its place before every effect, and of the world that stands in for effects. */
export const worldDefects: readonly Saboteur[] = [
  ...defectsIn('policy/create-policy.ts', [
    { name: 'every file may be touched', find: 'file.decide(question, resolvePath)', replace: 'null' },
    { name: 'every variable may be read', find: 'env.decide(question)', replace: 'null' },
    { name: 'every URL may be called', find: 'http.decide(question)', replace: 'null' },
    { name: 'every program may be run', find: 'shell.decide(question, resolvePath)', replace: 'null' },
    { name: 'every MCP server may be asked', find: 'mcp.decide(question)', replace: 'null' },
  ]),
  ...defectsIn('trial/compile-trial.ts', [
    { name: 'the policy is ignored', find: 'createPolicy(scenario.policy,', replace: 'createPolicy(null,' },
    {
      name: 'the budget of written bytes is ignored',
      find: 'budget?.maxFsWriteMb !== undefined &&',
      replace: 'false &&',
    },
    {
      name: 'a megabyte has a million bytes',
      find: 'budget.maxFsWriteMb * 1024 * 1024',
      replace: 'budget.maxFsWriteMb * 1_000_000',
    },
    {
      name: 'time limits are in seconds',
      find: 'scenario.timeoutMs * 1000',
      replace: 'scenario.timeoutMs * 1_000_000',
    },
  ]),
  ...defectsIn('policy/path-verdict.ts', [
    {
      name: 'policy matches the raw text of paths',
      find: 'canonicalPath(resolvePath(path))',
      replace: 'path as string',
    },
    { name: 'policy does not follow links', find: 'canonicalPath(resolvePath(path))', replace: 'canonicalPath(path)' },
  ]),
  ...defectsIn('policy/canonical-path.ts', [
    {
      name: 'a folder covers its neighbours',
      find: "(path.length === folder.length || path[folder.length] === '/')",
      replace: 'true',
    },
    {
      name: 'relative paths start at the root',
      find: 'return { root: root ?? WORKSPACE,',
      replace: "return { root: root ?? '',",
    },
  ]),
  ...defectsIn('policy/path-pattern.ts', [
    {
      name: 'a folder pattern covers only the folder',
      find: 'folders.some((folder) => isInside(folder, path))',
      replace: 'folders.includes(path)',
    },
    {
      name: 'an exact path covers what begins so',
      find: 'exact.has(path) ||',
      replace: '[...exact].some((one) => path.startsWith(one)) ||',
    },
    {
      name: 'path patterns have no prefixes',
      find: 'prefixes.some((prefix) => path.startsWith(prefix))',
      replace: 'false',
    },
    { name: 'a lone star covers no path', find: "const all = patterns.includes('*');", replace: 'const all = false;' },
  ]),
  ...defectsIn('policy/file-rule.ts', [
    { name: 'what may be written may be read', find: "question.op === 'read' ? read : write", replace: 'write' },
    { name: 'what may be read may be written', find: "question.op === 'read' ? read : write", replace: 'read' },
  ]),
  ...defectsIn('policy/canonical-url.ts', [
    {
      name: 'user information in a URL is fine',
      find: "if (authority.includes('@')) return refuse",
      replace: 'if (false) return refuse',
    },
    {
      name: 'hidden dot segments in a URL are fine',
      find: 'if (hidesDotSegment(path)) return refuse',
      replace: 'if (false) return refuse',
    },
    {
      name: 'escapes in a URL are not normalised',
      find: 'const path = normalisePercent(url.pathname);',
      replace: 'const path = url.pathname;',
    },
    {
      name: 'a host with a trailing dot is another',
      find: "url.hostname.endsWith('.') ? url.hostname.slice(0, -1) : url.hostname",
      replace: 'url.hostname',
    },
    {
      name: 'backslashes in a URL are fine',
      find: "if (text.includes('\\\\')) return 'the URL contains a backslash';",
      replace: '',
    },
    { name: 'the port of a URL does not matter', find: "url.port === '' ? '' : `:${url.port}`", replace: "''" },
    {
      name: 'white space in a URL is fine',
      find: "if (/\\s/.test(text)) return 'the URL contains white space';",
      replace: '',
    },
  ]),
  ...defectsIn('policy/http-rule.ts', [
    {
      name: 'the method of a request does not matter',
      find: 'methods.size > 0 && !methods.has(method)',
      replace: 'false',
    },
    {
      name: 'methods of a policy are case-sensitive',
      find: 'policy.methods.map((method) => method.toUpperCase())',
      replace: 'policy.methods',
    },
    { name: 'no method listed means none allowed', find: 'methods.size > 0 && !methods', replace: '!methods' },
  ]),
  ...defectsIn('policy/url-pattern.ts', [
    {
      name: 'a URL pattern covers its neighbours',
      find: "return scope.kind === 'prefix' || target.length",
      replace: 'return true || target.length',
    },
    {
      name: 'the scheme of a URL does not matter',
      find: 'origins.get(url.origin)?.some',
      replace: "(origins.get(url.origin) ?? origins.get(url.origin.replace('http:', 'https:')))?.some",
    },
  ]),
  ...defectsIn('policy/name-pattern.ts', [
    {
      name: 'a prefix of names covers all of them',
      find: 'prefixes.some((prefix) => name.startsWith(prefix))',
      replace: 'prefixes.length > 0',
    },
    {
      name: 'names are compared without case',
      find: 'name.startsWith(prefix)',
      replace: 'name.toUpperCase().startsWith(prefix)',
    },
    { name: 'exact names are not known', find: 'exact.has(name) ||', replace: '' },
  ]),
  ...defectsIn('policy/mcp-rule.ts', [
    {
      name: "a server's own list of tools is ignored",
      find: 'if (byServer?.matches(question.target) === false) return false;',
      replace: '',
    },
    {
      name: "the policy's list of tools is ignored",
      find: 'if (byPolicy?.matches(question.target) === false) return false;',
      replace: '',
    },
    {
      name: 'without a policy no server list binds',
      find: 'if (byServer?.matches(question.target) === false)',
      replace: 'if (policy !== null && byServer?.matches(question.target) === false)',
    },
  ]),
  ...defectsIn('policy/uri-pattern.ts', [
    { name: 'resources may climb', find: 'if (uriProblem(uri) !== null) return false;', replace: '' },
    {
      name: 'a resource prefix reaches into another host',
      find: 'uri.startsWith(prefix) && sameHost(prefix, uri)',
      replace: 'uri.startsWith(prefix)',
    },
  ]),
  ...defectsIn('policy/shell-rule.ts', [
    {
      name: 'programs are matched by their raw path',
      find: 'judgePath(command, commands, resolvePath)',
      replace: "{ allowed: commands.matches(command), note: '' }",
    },
  ]),
  ...defectsIn('trial/trial-ports.ts', [
    {
      name: 'effects happen before they are denied',
      find: 'const denial = policy.decide(request, this.resolve);',
      replace: 'world.answer(request);\n        const denial = policy.decide(request, this.resolve);',
    },
    {
      name: 'content is looked at before the policy',
      find: 'const denial = policy.decide(request, this.resolve);',
      replace:
        "if ('invalid' in request && request.invalid !== undefined) return invalid(request.invalid);\n        const denial = policy.decide(request, this.resolve);",
    },
    { name: 'files stay from trial to trial', find: 'this.options.world.reset();', replace: '' },
    {
      name: 'a denial is an error of the tool',
      find: "category: 'policy', message, denied: true",
      replace: "category: 'tool', message, denied: true",
    },
  ]),
  ...defectsIn('effects/world-paths.ts', [
    { name: 'links lead nowhere', find: 'if (target === undefined) continue;', replace: 'continue;' },
    {
      name: 'a link is followed once only',
      find: 'pending.push(...target.segments.toReversed());',
      replace: 'kept.push(...target.segments); while (followed && pending.length) kept.push(pending.pop() as string);',
    },
    { name: 'links may go round for ever', find: '++followed > MAX_LINKS', replace: '++followed > 1' },
  ]),
  ...defectsIn('effects/memory-files.ts', [
    {
      name: 'write_file appends',
      find: 'this.written.set(located.path, file);',
      replace:
        "this.written.set(located.path, { ...file, content: (this.node(located.path)?.content ?? '') + file.content });",
    },
    { name: 'write_file writes nothing', find: 'this.written.set(located.path, file);', replace: '' },
    {
      name: 'write_file does not make folders',
      find: 'parent === null ? null : this.makeFolders(parent)',
      replace: 'null',
    },
    {
      name: 'create_dir does nothing',
      find: 'located.error ?? this.makeFolders(located.path)',
      replace: 'located.error',
    },
    {
      name: 'create_dir refuses a folder that is there',
      find: 'located.error ?? this.makeFolders(located.path)',
      replace: 'located.error ?? (this.node(located.path) === null ? this.makeFolders(located.path) : OS_ERROR.exists)',
    },
    {
      name: 'written bytes are characters',
      find: 'const bytes = Buffer.byteLength(content);',
      replace: 'const bytes = content.length;',
    },
    { name: 'written bytes add up from trial to trial', find: 'this.writtenBytes = 0;\n  }', replace: '}' },
    {
      name: 'a declared file hides what was written',
      find: 'return written ?? this.shared.base.nodes.get(path) ?? null;',
      replace: 'return this.shared.base.nodes.get(path) ?? written ?? null;',
    },
    {
      name: 'a missing file reads as empty',
      find: 'if (node === null || error !== null) {',
      replace: "if (node === null) return give({ path, content: '', bytes: 0 });\n    if (error !== null) {",
    },
    {
      name: 'a folder can be overwritten',
      find: "path.endsWith('/') || this.node(located.path)?.kind === 'dir'",
      replace: 'false',
    },
    {
      name: 'a file can be a folder',
      find: "if (existing !== null && this.node(existing)?.kind === 'file') {",
      replace: 'if (false) {',
    },
    {
      name: 'a file claims to be unwritten',
      find: 'give({ path, bytes, written: true })',
      replace: 'give({ path, bytes, written: false })',
    },
    {
      name: 'the write budget is not added up',
      find: 'const total = this.writtenBytes + bytes;',
      replace: 'const total = bytes;',
    },
  ]),
  ...defectsIn('effects/base-files.ts', [
    {
      name: 'sizes of declared files are characters',
      find: 'bytes: Buffer.byteLength(file.content)',
      replace: 'bytes: file.content.length',
    },
    {
      name: 'declared files have no folders',
      find: 'for (const { key, path } of entries) layOutFolders(key, path, nodes, links);',
      replace: '',
    },
  ]),
  ...defectsIn('effects/declared-env.ts', [
    { name: 'unset variables are not told as missing', find: 'value: null, missing: true', replace: 'value: null' },
    { name: 'unset variables are empty', find: 'value: null, missing: true', replace: "value: '', missing: true" },
    {
      name: 'declared variables read as unset',
      find: 'declared.get(key) ?? unset.get(key)',
      replace: 'unset.get(key)',
    },
  ]),
  ...defectsIn('engine/plain-text.ts', [
    { name: 'values are written as String() has them', find: 'jsonText(value)', replace: 'String(value)' },
  ]),
  ...defectsIn('engine/http-parts.ts', [
    { name: 'no HTTP status is an error', find: 'status >= 200 && status <= 299', replace: 'true' },
    {
      name: 'redirects are no error',
      find: 'status >= 200 && status <= 299',
      replace: 'status >= 200 && status <= 399',
    },
    {
      name: 'an HTTP error loses the response',
      find: "output: response, branch: 'error'",
      replace: "output: null, branch: 'error'",
    },
  ]),
  ...defectsIn('effects/mock-http.ts', [
    { name: 'HTTP mocks ignore the method', find: "(entry.method === '*' || entry.method === method) &&", replace: '' },
    { name: 'HTTP mocks ignore the URL', find: ' && entry.urls.matches(url)', replace: '' },
    { name: 'HTTP replies take no time', find: 'mock.delayMs * 1000', replace: '0' },
    { name: 'HTTP headers keep their case', find: '[name.toLowerCase(), value]', replace: '[name, value]' },
  ]),
  ...defectsIn('engine/nodes/http-request.ts', [
    {
      name: 'a missing body is sent as none',
      find: 'if (bodyFrom !== undefined && found === undefined) return refuse(notSet(bodyFrom).message);',
      replace: 'if (bodyFrom !== undefined && found === undefined) return ask({ ...target, headers: {}, body: null });',
    },
  ]),
  ...defectsIn('engine/process-parts.ts', [
    { name: 'a program that fails takes no error branch', find: "result['exit_code'] === 0 &&", replace: '' },
    {
      name: 'the limit of a program is ignored',
      find: 'timeoutMs: Math.max(1, timeoutSecs) * 1000',
      replace: 'timeoutMs: 3_600_000',
    },
    {
      name: 'programs have another default limit',
      find: 'DEFAULT_TIMEOUT_SECS = 30',
      replace: 'DEFAULT_TIMEOUT_SECS = 60',
    },
  ]),
  ...defectsIn('effects/mock-processes.ts', [
    { name: 'programs are never stopped', find: 'mock.delayMs > timeoutMs', replace: 'false' },
    { name: 'process mocks ignore arguments', find: '&& fits(entry.mock, request.args)', replace: '' },
    {
      name: 'programs take no time',
      find: "valueAnswer(output, 'mock', durationMs * 1000)",
      replace: "valueAnswer(output, 'mock', 0)",
    },
    { name: 'programs print nothing', find: "timedOut ? '' : mock.stdout", replace: "''" },
  ]),
  ...defectsIn('engine/mcp-parts.ts', [
    { name: 'an MCP error takes no branch', find: "result['is_error'] === true", replace: 'false' },
    { name: 'an unnamed MCP server is the first', find: 'return known.length === 1 ?', replace: 'return true ?' },
    {
      name: 'an unknown MCP server is the first',
      find: 'if (known.includes(named)) return { ok: true, server: named };',
      replace: 'return { ok: true, server: known.includes(named) ? named : (only ?? named) };',
    },
  ]),
  ...defectsIn('effects/mock-mcp.ts', [
    {
      name: 'MCP tools give no structured content',
      find: 'is_error: isError, structured }',
      replace: 'is_error: isError, structured: null }',
    },
    { name: 'MCP tools take no time', find: 'delayMs * 1000', replace: '0' },
  ]),
];
