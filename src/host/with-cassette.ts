import path from 'node:path';
import { PasskError } from '../errors.ts';
import { resolveCassette } from '../settings/cassette-options.ts';
import type { LiveModel } from '../settings/live-functions.ts';
import type { ResolvedRunOptions, RunSuiteOptions } from '../settings/options.ts';
import { PERMISSION_KINDS } from '../settings/permission-options.ts';
import { displayName } from '../source/source-file.ts';
import type { PriceTable } from '../types/reports/forecast.ts';
import type { ModelEndpoint } from '../types/model-endpoint.ts';
import type { Permissions } from '../types/permissions.ts';
import type { Sampler } from '../types/scenario.ts';

/** The options that decide what trials ask. What a file of the scenario says is not among them. */
interface CassetteSettings {
  readonly live: boolean;
  readonly endpoints: Readonly<Record<string, ModelEndpoint>>;
  /** Backends that functions answered. */
  readonly functions: readonly string[];
  /** Paths are relative to the working directory. */
  readonly permissions: Permissions;
  readonly seed: number;
  readonly sampler: Sampler;
  readonly timeoutMs: number | null;
  readonly trials: number | null;
  readonly prices: number | PriceTable | null;
}

export function settingsText(options: ResolvedRunOptions): string {
  const { live, endpoints, models, seed, sampler, timeoutMs, trials, prices } = options;
  const settings: CassetteSettings = {
    live,
    endpoints,
    functions: Object.keys(models),
    permissions: relativePermissions(options),
    seed,
    sampler,
    timeoutMs,
    trials,
    prices,
  };
  return JSON.stringify(settings);
}

/**
 * The options of a run; where it replays, with those that the cassette was recorded with. Rejects with `USAGE` where the
 * two contradict each other, and with `INPUT` when the cassette cannot be read.
 */
export async function withCassette<O extends RunSuiteOptions>(options: O): Promise<O> {
  // Programs without types may give anything; what is no options is told by those who resolve them.
  if (typeof options !== 'object' || options === null || typeof options.replay !== 'string') return options;
  const { record, replay, cwd = process.cwd() } = options;
  if (record !== undefined) {
    throw new PasskError('USAGE', 'A run either records a cassette or replays one.', {
      hint: 'Keep --record or --replay.',
    });
  }
  const { name, file } = resolveCassette({ replay }, cwd) ?? { name: replay, file: replay };
  const { readHeadOf } = await import('../records/cassette-reader.ts');
  const { settings: text } = await readHeadOf(file);
  // Written by `settingsText`, and the checksum of its frame holds.
  const settings = JSON.parse(text) as CassetteSettings;
  const { seed, sampler, timeoutMs } = settings;
  for (const [option, theirs] of Object.entries({ seed, sampler, timeoutMs })) {
    const ours = options[option as 'seed' | 'sampler' | 'timeoutMs'];
    if (ours === undefined || ours === theirs) continue;
    throw new PasskError(
      'USAGE',
      `The cassette ${name} was recorded with ${option} ${theirs ?? 'unset'}, not ${ours}.`,
      {
        hint: 'Leave the option away, or record again.',
      },
    );
  }
  const { trials = settings.trials, prices = settings.prices, maxCost: _, maxTokens: __, ...rest } = options;
  const functions = settings.functions.map((backend) => [backend, unasked] as const);
  return {
    ...rest,
    seed,
    sampler,
    live: settings.live,
    models: { ...settings.endpoints, ...Object.fromEntries(functions) },
    permissions: settings.permissions,
    ...(timeoutMs !== null && { timeoutMs }),
    ...(trials !== null && { trials }),
    ...(prices !== null && { prices }),
  } as O;
}

/** Stands for a function that answered when the cassette was recorded. */
const unasked: LiveModel = () => {
  throw new Error('a replayed run asks no function');
};

function relativePermissions({ permissions, cwd }: ResolvedRunOptions): Permissions {
  const relative = (entry: string): string => {
    if (!path.isAbsolute(entry)) return entry;
    const name = displayName(entry, cwd);
    // A program beside the user must not be taken for a name.
    return path.isAbsolute(name) || name.startsWith('.') ? name : `./${name}`;
  };
  const moved = PERMISSION_KINDS.map((kind) => {
    const grant = permissions[kind];
    return [kind, typeof grant === 'boolean' ? grant : grant.map(relative)] as const;
  });
  return { ...permissions, ...Object.fromEntries(moved) };
}
