import { PasskError } from '../errors.ts';
import { CallRows } from '../intelligence/live/call-rows.ts';
import { type CassetteReader, openCassette } from '../records/cassette-reader.ts';
import { createCassette, type RecordedTrial } from '../records/cassette-writer.ts';
import { DROP_IN_FLIGHT } from '../pool/executor.ts';
import type { HostFunction } from '../pool/host-functions.ts';
import { digestOf, scenarioText } from '../records/plan-digest.ts';
import {
  type CallBill,
  CASSETTE_READ,
  CASSETTE_WRITE,
  type CassettePiece,
  type CassettePlace,
  type CassetteRead,
  type CassetteWrite,
} from '../types/cassette.ts';
import type { Issue } from '../types/issue.ts';
import { JUDGE_BACKEND } from '../types/judges/judge.ts';
import type { LiveCallPayload } from '../plugin/live-node.ts';
import type { LiveCounts } from '../types/live-counts.ts';
import type { RunPlan, ScenarioPlan } from '../types/plan.ts';
import type { ScenarioIdentity } from '../types/plan-identity.ts';
import { VERSION } from '../version.ts';
import { settingsText } from './with-cassette.ts';
import { priced } from './live-run.ts';
import type { ResolvedRunOptions } from '../settings/options.ts';
import { keyOf, OpenTapes } from './open-tapes.ts';

/** The host's side of a cassette that is recorded. */
export interface CassetteRecorder {
  readonly functions: Readonly<Record<string, HostFunction>>;
  /** Aborted when the cassette can no longer be written. */
  readonly failed: AbortSignal;
  /** Puts calls to real models down with the trial that they were made for. */
  around(ask: HostFunction): HostFunction;
  onBill(scenario: number, trial: number, bill: CallBill): void;
  /** `complete`: all trials of the run are in it. Throws `OUTPUT` when it could not be written. */
  close(complete: boolean): Promise<void>;
  /** Leaves no file: the run does not begin. */
  discard(): Promise<void>;
}

/** The host's side of a cassette that is replayed. */
export interface CassettePlayer {
  readonly functions: Readonly<Record<string, HostFunction>>;
  readonly notices: readonly Issue[];
  /** What was recorded of a trial; null: nothing. `scenario`: position in the plan. */
  find(place: CassettePlace): Promise<RecordedTrial | null>;
  /** What the replayed calls to real models once came to; null: there is none. */
  counts(): LiveCounts | null;
  close(): Promise<void>;
}

export async function recordCassette(
  file: string,
  plan: RunPlan,
  options: ResolvedRunOptions,
): Promise<CassetteRecorder> {
  const head = { passk: VERSION, settings: settingsText(options), scenarios: plan.scenarios.map(identityOf) };
  const writer = await createCassette(file, head);
  const stop = new AbortController();
  const tapes = new OpenTapes();
  let failure: unknown = null;
  const take: HostFunction = async (payload) => {
    // Made by the tape of a trial, so the shape is known.
    const { from, piece, last, ...place } = payload as unknown as CassetteWrite;
    const tape = tapes.of(place);
    // A worker may have died in the middle of it.
    if (from === 0) tape.pieces.length = 0;
    tape.pieces.push(Buffer.from(piece, 'base64'));
    if (!last) return null;
    // A call that its trial has given up on ends soon, and is paid for all the same.
    await Promise.allSettled(tape.calls);
    tapes.clear(place);
    try {
      const bills = [...tape.bills.values()];
      if (failure === null) await writer.append({ ...place, bills, tape: Buffer.concat(tape.pieces) });
    } catch (error) {
      failure ??= error;
      stop.abort(DROP_IN_FLIGHT);
    }
    return null;
  };
  return {
    functions: { [CASSETTE_WRITE]: take },
    failed: stop.signal,
    around: (ask) => (payload, signal) => {
      const { scenario, trial, backend } = payload as unknown as LiveCallPayload;
      const answer = Promise.resolve(ask(payload, signal));
      tapes.of(placeOf({ scenario, trial, backend })).calls.push(answer);
      return answer;
    },
    onBill: (scenario, trial, bill) => tapes.of(placeOf({ scenario, trial, backend: bill.backend })).charge(bill),
    close: async (complete) => {
      await writer.close(complete && failure === null);
      if (failure !== null) throw failure as Error;
    },
    discard: () => writer.discard(),
  };
}

/** Where a call to a real model is kept: judges have a record of their own beside that of the trial. */
function placeOf({ scenario, trial, backend }: Pick<LiveCallPayload, 'scenario' | 'trial' | 'backend'>): CassettePlace {
  return { scenario, trial, ...(backend.startsWith(JUDGE_BACKEND) && { part: 'judge' }) };
}

/** Throws `INPUT` when the cassette does not hold the scenarios of the plan. */
export async function replayCassette(
  file: string,
  plan: RunPlan,
  options: ResolvedRunOptions,
): Promise<CassettePlayer> {
  const cassette = await openCassette(file);
  const name = options.cassette?.name ?? file;
  try {
    const { positions, notices } = matched(plan, cassette, name);
    const rows = new CallRows();
    const counted = new Set<string>();
    const find = (place: CassettePlace): Promise<RecordedTrial | null> =>
      cassette.read({ ...place, scenario: positions.get(place.scenario) ?? -1 });
    const give: HostFunction = async (payload): Promise<CassettePiece | null> => {
      const { from, ...place } = payload as unknown as CassetteRead;
      const found = await find(place);
      if (found === null) return null;
      const key = keyOf(place);
      if (!counted.has(key)) {
        counted.add(key);
        charge(rows, plan.scenarios[place.scenario], found.bills, options);
      }
      const piece = Buffer.from(found.tape.subarray(from, from + PIECE));
      return { piece: piece.toString('base64'), last: from + PIECE >= found.tape.length };
    };
    const asksModels = plan.scenarios.some(({ liveEndpoints }) => liveEndpoints !== undefined);
    return {
      functions: { [CASSETTE_READ]: give },
      notices,
      find,
      counts: () => (asksModels ? rows.counts(null) : null),
      close: () => cassette.close(),
    };
  } catch (error) {
    await cassette.close();
    throw error;
  }
}

/** Base64 of it is well below what one answer of the host may carry. */
const PIECE = 512 * 1024;

function charge(
  rows: CallRows,
  plan: ScenarioPlan | undefined,
  bills: readonly CallBill[],
  options: ResolvedRunOptions,
): void {
  for (const bill of bills) {
    const endpoint = plan?.liveEndpoints?.[bill.backend]?.endpoint;
    if (plan === undefined || endpoint === undefined) continue;
    rows.row(plan.scenario.name, bill.backend, priced(endpoint, options)).addBill(bill);
  }
}

/** Where each scenario of the plan stands in the cassette, and what a reader of the report must know. */
function matched(
  plan: RunPlan,
  { head, end }: CassetteReader,
  name: string,
): { readonly positions: ReadonlyMap<number, number>; readonly notices: readonly Issue[] } {
  const positions = new Map<number, number>();
  const notices: Issue[] = [];
  for (const scenario of plan.scenarios) {
    if (scenario.traits.repeatable) continue;
    const ours = identityOf(scenario);
    const position = head.scenarios.findIndex(({ name }) => name === ours.name);
    const theirs = head.scenarios[position];
    if (theirs === undefined) throw unknownScenario(ours, name);
    positions.set(scenario.index, position);
    if (theirs.digest === ours.digest) continue;
    const message = `Scenario "${ours.name}" has changed since the cassette ${name} was recorded.`;
    notices.push(notice('cassette_changed', message, 'Trials that ask for anything new are broken; record again.'));
  }
  if (head.passk !== VERSION) {
    notices.push(notice('cassette_version', `The cassette ${name} was recorded by passk ${head.passk}.`));
  }
  if (end !== 'complete') {
    const message = `The cassette ${name} ${ENDS[end]}.`;
    notices.push(notice('cassette_cut', message, 'Trials that it lacks are broken when they ask for something.'));
  }
  return { positions, notices };
}

const ENDS = {
  cut: 'is of a run that did not end',
  torn: 'ends in the middle of a record',
  corrupt: 'is damaged',
} as const;

function unknownScenario({ name, file }: ScenarioIdentity, cassette: string): PasskError {
  return new PasskError('INPUT', `The cassette ${cassette} holds nothing of scenario "${name}" (${file}).`, {
    hint: 'Replay only what was recorded, from the same folder, or record again.',
  });
}

/** The same for any number of trials: those that are there can be replayed. */
function identityOf(plan: ScenarioPlan): ScenarioIdentity {
  const { name, file } = plan.scenario;
  return { name, file, trials: plan.trials, digest: digestOf(scenarioText({ ...plan, trials: 0 })) };
}

function notice(code: string, message: string, hint?: string): Issue {
  return { code, severity: 'warning', message, ...(hint !== undefined && { hint }) };
}
