import { defectsIn, type Saboteur } from '../saboteur.ts';

/** Defects of policy, and of its place before every effect. */
export const policyDefects: readonly Saboteur[] = [
  ...defectsIn('policy/create-policy.ts', [
    { name: 'every file may be touched', find: 'this.ofFiles(policy).decide(question, resolvePath)', replace: 'null' },
    { name: 'every variable may be read', find: 'this.ofEnv(policy).decide(question)', replace: 'null' },
    { name: 'every URL may be called', find: 'this.ofHttp(policy).decide(question)', replace: 'null' },
    { name: 'every program may be run', find: 'this.ofShell(policy).decide(question, resolvePath)', replace: 'null' },
    { name: 'every MCP server may be asked', find: 'this.ofMcp(policy).decide(question)', replace: 'null' },
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
      find: 'const denial = policy.decide(request, effect?.resolve ?? this.resolve);',
      replace: 'world.answer(request);\n    const denial = policy.decide(request, effect?.resolve ?? this.resolve);',
    },
    {
      name: 'content is looked at before the policy',
      find: 'const denial = policy.decide(request, effect?.resolve ?? this.resolve);',
      replace:
        "if ('invalid' in request && request.invalid !== undefined) return invalid(request.invalid);\n    const denial = policy.decide(request, effect?.resolve ?? this.resolve);",
    },
    { name: 'files stay from trial to trial', find: 'this.options.world.reset();', replace: '' },
  ]),
  ...defectsIn('effects/answers.ts', [
    {
      name: 'a denial is an error of the tool',
      find: "category: 'policy', message, denied: true",
      replace: "category: 'tool', message, denied: true",
    },
  ]),
];
