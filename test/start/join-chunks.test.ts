import { describe, expect, test } from 'vitest';

const { joinChunks } = (await import(new URL('../../scripts/join-chunks.mjs', import.meta.url).href)) as {
  readonly joinChunks: (
    names: readonly string[],
    texts: ReadonlyMap<string, string>,
    options: { readonly entries: readonly string[]; readonly build: { readonly absWorkingDir: string } },
  ) => Promise<string>;
};

const build = { absWorkingDir: import.meta.dirname };

/** What the module that is made of the chunks of `names` gives, and its text. */
async function joined(
  names: readonly string[],
  all: Readonly<Record<string, string>>,
  entries: readonly string[] = [],
) {
  const text = await joinChunks(names, new Map(Object.entries(all)), { entries, build });
  const chunks: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {};
  new Function('__chunks', `"use strict";${text}`)(chunks);
  return { chunks, text };
}

describe('chunks that are joined', () => {
  test('share a scope, in which names that several of them have stay apart', async () => {
    const { chunks } = await joined(['app-a.js', 'app-b.js'], {
      'app-a.js': 'const x=1;export{x};',
      'app-b.js': 'import{x as y}from"./app-a.js";const x=y+1;export{x};',
      'app-c.js': 'import{x}from"./app-a.js";import{x as z}from"./app-b.js";export{x,z};',
    });
    expect(chunks).toEqual({ 'app-a.js': { x: 1 }, 'app-b.js': { x: 2 } });
  });

  test('give what other chunks ask for, by the name of the chunk that has it, and no more', async () => {
    const { chunks, text } = await joined(['app-a.js'], {
      'app-a.js': 'function used(){return 1}function unused(){return 2}export{used,unused};',
      'app-b.js': 'import{used as u}from"./app-a.js";export{u};',
    });
    expect(Object.keys(chunks['app-a.js'] ?? {})).toEqual(['used']);
    expect(text).not.toContain('return 2');
  });

  test.each([
    ['an entry', {}, ['app-a.js']],
    [
      'a chunk that another loads when it needs it',
      { 'app-b.js': 'const load=()=>import("./app-a.js");export{load};' },
      [],
    ],
  ])('give all that %s has', async (_, others, entries) => {
    const text = 'var a=1;export{a as b,a as default};';
    const { chunks } = await joined(['app-a.js'], { 'app-a.js': text, ...others }, entries);
    expect(chunks['app-a.js']).toEqual({ b: 1, default: 1 });
  });

  test('run in the order of their imports, also where nobody asks for a name of theirs', async () => {
    const { chunks } = await joined(
      ['app-a.js', 'app-b.js'],
      {
        'app-a.js': 'import"./app-b.js";const seen=globalThis.passkJoined;export{seen};',
        'app-b.js': 'globalThis.passkJoined=["b"];',
      },
      ['app-a.js'],
    );
    expect(chunks).toEqual({ 'app-a.js': { seen: ['b'] }, 'app-b.js': {} });
  });

  test('can be asked for by what an entry among them loads, as entries run last', async () => {
    const { chunks } = await joined(
      ['app-a.js', 'app-b.js'],
      {
        'app-a.js': 'import{b}from"./app-b.js";const seen=Object.keys(__chunks);export{seen,b};',
        'app-b.js': 'const b=1;export{b};',
        'app-c.js': 'import{b}from"./app-b.js";export{b};',
      },
      ['app-a.js'],
    );
    expect(chunks).toEqual({ 'app-a.js': { seen: ['app-b.js'], b: 1 }, 'app-b.js': { b: 1 } });
  });

  test('leave to the loader what comes later, what is in other files, and what Node has', async () => {
    const text = await joinChunks(
      ['app-a.js', 'app-b.js'],
      new Map([
        [
          'app-a.js',
          'import{c}from"./app-c.js";import p from"node:path";const l=()=>import("./app-b.js");export{l,c,p};',
        ],
        ['app-b.js', 'const b=1;export{b};'],
        ['app-c.js', 'const c=1;export{c};'],
      ]),
      { entries: ['app-a.js'], build },
    );
    expect([...text.matchAll(/(?:from|import\()\s*"([^"]+)"/g)].map(([, id]) => id).sort()).toEqual([
      './app-b.js',
      './app-c.js',
      'node:path',
    ]);
  });
});
