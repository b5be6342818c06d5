import { Script } from 'node:vm';
import { describe, expect, test } from 'vitest';

const { asScript } = (await import(new URL('../../scripts/app-chunks.mjs', import.meta.url).href)) as {
  readonly asScript: (
    chunks: readonly (readonly [name: string, text: string])[],
    idOf: (chunk: string) => string,
  ) => Promise<string>;
};

type Body = (
  exports: Record<string, unknown>,
  require: (id: string) => unknown,
  importAny: (id: string) => Promise<object>,
  url: () => string,
  resolve: (id: string) => string,
) => void;

const URL_OF_CHUNK = 'file:///somewhere/app-a.cjs';

/** One chunk as a script, as if every chunk had a file of its own. */
function scriptOf(text: string): Promise<string> {
  return asScript([['app-a.js', text]], (chunk) => `./${chunk.replace('.js', '.cjs')}`);
}

/** Runs a module as the script that is made of it; what it asks for is noted. */
async function run(text: string, modules: Readonly<Record<string, unknown>> = {}) {
  const asked: string[] = [];
  const { 'app-a.js': body } = new Script(await scriptOf(text)).runInThisContext() as { readonly 'app-a.js': Body };
  const exports: Record<string, unknown> = {};
  const require = (id: string): unknown => {
    asked.push(id);
    return modules[id];
  };
  body(
    exports,
    require,
    async (id) => ({ id }),
    () => URL_OF_CHUNK,
    (id) => `found ${id}`,
  );
  return { exports, asked };
}

describe('a chunk as a script', () => {
  test('exports what the module exports, under the names it exports', async () => {
    const { exports } = await run('var a=1;function b(){return a+1}export{a,b as two};');
    expect([exports['a'], (exports['two'] as () => number)()]).toEqual([1, 2]);
  });

  test('has what it imports, of chunks and of Node, each in the words of the module', async () => {
    const text = `import{x as y,z}from"./app-b.js";import p from"node:path";import*as u from"node:url";import"./app-c.js";
      export{all};const all=[y,z,p.sep,u.href];`;
    const modules = { './app-b.cjs': { x: 1, z: 2 }, 'node:path': { sep: '/' }, 'node:url': { href: 'here' } };
    const moved = text.replace('export{all};', '').concat('export{all};');
    expect(await run(moved, modules)).toEqual({
      exports: { all: [1, 2, '/', 'here'] },
      asked: ['./app-b.cjs', 'node:path', 'node:url', './app-c.cjs'],
    });
  });

  test('leaves what it imports later to its loader: chunks under the names of their files, all else as it is', async () => {
    const { exports } = await run('const a=(b)=>[import("./app-b.js"),import(b),import("yaml")];export{a};');
    const { a } = exports as { readonly a: (module: string) => readonly Promise<unknown>[] };
    const ids = ['./app-b.cjs', 'file:///plug-in.mjs', 'yaml'];
    expect(await Promise.all(a('file:///plug-in.mjs'))).toEqual(ids.map((id) => ({ id })));
  });

  test('stands in one file with others, each found by its name', async () => {
    const script = await asScript(
      [
        ['app-a.js', 'const a=1;export{a};'],
        ['app-b.js', 'import{a}from"./app-a.js";export{a as b};'],
      ],
      (chunk) => `./all.cjs/${chunk}`,
    );
    const bodies = new Script(script).runInThisContext() as Readonly<Record<string, Body>>;
    const load = (id: string): Record<string, unknown> => {
      const exports = {};
      bodies[id.replace('./all.cjs/', '')]?.(
        exports,
        load,
        async () => ({}),
        () => '',
        () => '',
      );
      return exports;
    };
    expect(load('./all.cjs/app-b.js')).toEqual({ b: 1 });
  });

  test('loads a cold chunk at once, when one of its functions is called', async () => {
    const modules = { './app-b.cjs': { f: (word: string) => `cold ${word}` } };
    const { exports, asked } = await run(
      'const load=()=>__defer(import("./app-b.js"));function f(...all){return load().f(...all)}export{f};',
      modules,
    );
    expect(asked).toEqual([]);
    expect((exports['f'] as (word: string) => string)('x')).toBe('cold x');
    expect(asked).toEqual(['./app-b.cjs']);
  });

  test('knows where it is and where modules are', async () => {
    const { exports } = await run('const a=import.meta.url,b=import.meta.resolve?.("x");export{a,b};');
    expect(exports).toEqual({ a: URL_OF_CHUNK, b: 'found x' });
  });

  test('loads a slow module of Node with the first call of a function of it', async () => {
    const crypto = { createHash: (name: string) => `hash ${name}` };
    const { exports, asked } = await run('import{createHash as h}from"node:crypto";const a=()=>h("x");export{a};', {
      'node:crypto': crypto,
    });
    expect(asked).toEqual([]);
    expect((exports['a'] as () => string)()).toBe('hash x');
    expect(asked).toEqual(['node:crypto']);
  });

  test('is strict code of ASCII characters that means the same', async () => {
    const text = 'const a=/^\u2713\u{1f600}$/u.test("\\u2713\\u{1f600}"),b=(function(){return this})();export{a,b};';
    expect((await run(text)).exports).toEqual({ a: true, b: undefined });
    expect(/^[\u0020-\u007e\n]*$/.test(await scriptOf(text))).toBe(true);
  });

  test.each([
    ['a package', 'import a from"left-pad";'],
    ['all of a chunk', 'import*as a from"./app-b.js";'],
    ['a default by its name', 'import{default as a}from"node:path";'],
    ['what is no function of a slow module', 'import{constants as a}from"node:zlib";'],
    ['a class of a slow module', 'import{ChildProcess as a}from"node:child_process";'],
    ['all of a slow module', 'import a from"node:crypto";'],
    ['what else a module knows of itself', 'const a=import.meta.dirname;'],
  ])('is refused when it imports %s', async (_, text) => {
    await expect(scriptOf(text)).rejects.toThrow('app-a.js');
  });
});
