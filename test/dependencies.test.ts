import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface Locked {
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly peer?: boolean;
  readonly optional?: boolean;
  readonly hasInstallScript?: boolean;
  readonly integrity?: string;
}

const read = (name: string): unknown => JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8'));
const { dependencies } = read('package.json') as { readonly dependencies: Readonly<Record<string, string>> };
const { packages } = read('package-lock.json') as { readonly packages: Readonly<Record<string, Locked>> };

/** What `npm install passk` brings, its own dependencies included. */
const runtime = Object.entries(packages).filter(
  ([where, { dev, devOptional, peer }]) => where !== '' && !(dev || devOptional || peer),
);

test('no package that passk brings runs a script when it is installed', () => {
  expect(runtime.filter(([, { hasInstallScript }]) => hasInstallScript === true)).toEqual([]);
});

test('the packages that passk brings are few, and SECURITY.md says how many', () => {
  const required = runtime.filter(([, { optional }]) => optional !== true).length;
  const text = readFileSync(new URL('../SECURITY.md', import.meta.url), 'utf8');
  expect(text).toContain(`${Object.keys(dependencies).length} direct dependencies, ${required} packages in all`);
  expect(required).toBeLessThanOrEqual(40);
});

test('versions are exact, and each package is locked to its contents', () => {
  expect(Object.values(dependencies).filter((version) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
  expect(runtime.filter(([, { integrity }]) => integrity === undefined)).toEqual([]);
});
