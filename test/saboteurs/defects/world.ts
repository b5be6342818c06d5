import { defectsIn, type Saboteur } from '../saboteur.ts';

/** Defects of the world that stands in for effects, and of the nodes that reach into it. */
export const worldDefects: readonly Saboteur[] = [
  ...defectsIn('trial/compile-trial.ts', [
    { name: 'the policy is ignored', find: 'createPolicy(policy,', replace: 'createPolicy(null,' },
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
  ...defectsIn('effects/world-paths.ts', [
    { name: 'links lead nowhere', find: 'if (target === undefined) continue;', replace: 'continue;' },
    {
      name: 'a link is followed once only',
      find: 'pending.push(...target.segments.toReversed());',
      replace:
        'segments.push(...target.segments); while (followed && pending.length) segments.push(pending.pop() as string);',
    },
    { name: 'links may go round for ever', find: '++followed > MAX_LINKS', replace: '++followed > 1' },
  ]),
  ...defectsIn('effects/write-space.ts', [
    { name: 'written bytes add up from trial to trial', find: 'this.writtenBytes = 0;', replace: '' },
    {
      name: 'the write budget is not added up',
      find: 'const total = this.writtenBytes + bytes;',
      replace: 'const total = bytes;',
    },
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
  ...defectsIn('engine/mcp/mcp-parts.ts', [
    { name: 'an MCP error takes no branch', find: "result['is_error'] === true", replace: 'false' },
    { name: 'an unnamed MCP server is the first', find: 'return serverNames.length === 1 ?', replace: 'return true ?' },
    {
      name: 'an unknown MCP server is the first',
      find: 'if (serverNames.includes(named)) return { ok: true, server: named };',
      replace: 'return { ok: true, server: serverNames.includes(named) ? named : (only ?? named) };',
    },
  ]),
];
