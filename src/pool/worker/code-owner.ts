import { AsyncLocalStorage, createHook, executionAsyncResource } from 'node:async_hooks';
import process from 'node:process';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isMainThread } from 'node:worker_threads';
import { thrownTextAt } from '../cause-of.ts';
import { guardDescriptors } from './guard-descriptors.ts';

/** Uncaught errors that belong to no trial are shown so often per worker; more would bury other output. */
const MOST_NOTES = 5;

const owners = new AsyncLocalStorage<CodeOwner>();
/** Owns errors whose context is lost, as that of `queueMicrotask` is. */
let present: CodeOwner | null = null;
let listener: CodeListener | null = null;
let isListening = false;
let isWatching = false;
let notes = 0;

/** Hears of errors of user code that belong to no owner. */
export interface CodeListener {
  /** An error of unknown origin; true: it has been dealt with. */
  onUncaught(cause: string): boolean;
  /** The worker ends, and no owner that still waits has ended it. */
  onExit(cause: string): void;
  /** Something to be printed. */
  onNote(text: string): void;
}

/** Trials of code of the user have run in this worker, and may have left something behind. */
let hasRunTrials = false;

export function haveTrialsRun(): boolean {
  return hasRunTrials;
}

export interface CodeOwnerOptions {
  /** Time does not pass for it: timers that its code sets never fire. */
  readonly clearsTimers: boolean;
  /** Nobody else's code runs meanwhile, so errors of unknown origin are its own. */
  readonly isAlone: boolean;
}

/** What trials of code of the user do, a slice of them or one. */
export function ownerOfTrials(options: CodeOwnerOptions): CodeOwner {
  hasRunTrials = true;
  return new CodeOwner(options);
}

/**
 * Whoever has code of the user run: a trial, a slice of trials, or the preparation of a program. What this code leaves
 * behind is followed through callbacks and promises, so that an error that nobody catches is told to its owner alone and
 * costs no worker.
 */
export class CodeOwner {
  /** Called at the first error that nobody caught. */
  onUncaught: () => void = () => {};
  readonly clearsTimers: boolean;
  private readonly isAlone: boolean;
  private uncaught: string | null = null;
  private isOver = false;
  /** The system has answered something that its code asked: how soon it does so is chance. */
  hasAnswers = false;

  constructor({ clearsTimers, isAlone }: CodeOwnerOptions) {
    this.clearsTimers = clearsTimers;
    this.isAlone = isAlone;
    if (clearsTimers) watchResources();
  }

  run<T>(action: () => T): T {
    if (this.isAlone) present = this;
    return owners.run(this, action);
  }

  /** Waits one turn of the event loop for errors of code that was left behind; later ones belong to no trial. Null: none came. */
  async end(): Promise<string | null> {
    await nextTurn();
    this.isOver = true;
    if (present === this) present = null;
    return this.uncaught;
  }

  /** True: what its code does now is its own. */
  get isOpen(): boolean {
    return !this.isOver;
  }

  take(error: unknown): void {
    this.uncaught ??= `did not catch ${thrownTextAt(error, new Error('here'))}`;
    this.onUncaught();
  }
}

/** Called in a worker before code of the user runs, and with null once it does not any more. */
export function listenToCode(next: CodeListener | null): void {
  listener = next;
  if (isListening) return;
  isListening = true;
  // A process of its own has descriptors of its own.
  if (!isMainThread) guardDescriptors((text) => listener?.onNote(text));
  process.on('uncaughtException', hear);
  process.on('exit', (code) => {
    if (openOwner() === null) listener?.onExit(`worker exited with code ${code}`);
  });
}

/** What goes on inside JavaScript alone, and therefore takes no time. */
const INSIDE: ReadonlySet<string> = new Set(['PROMISE', 'TickObject', 'Microtask', 'Immediate']);

/** The owner of each request to the system. */
const ownerOfRequest = new WeakMap<object, CodeOwner>();

/** Every promise pays for this hook, so it is installed only when it is needed. */
function watchResources(): void {
  if (isWatching) return;
  isWatching = true;
  createHook({
    init(_id, type, _trigger, resource) {
      const owner = INSIDE.has(type) ? undefined : owners.getStore();
      if (owner?.clearsTimers !== true) return;
      if (type !== 'Timeout') ownerOfRequest.set(resource, owner);
      // It is not set yet, and cannot fire before that.
      else process.nextTick(() => clearTimeout(resource as NodeJS.Timeout));
    },
    before() {
      const owner = ownerOfRequest.get(executionAsyncResource());
      if (owner !== undefined) owner.hasAnswers = true;
    },
  }).enable();
}

/** The owner of the code that runs now; null: none that still waits for it. */
function openOwner(): CodeOwner | null {
  const owner = owners.getStore() ?? present;
  return owner?.isOpen === true ? owner : null;
}

function hear(error: unknown): void {
  const owner = openOwner();
  const isByChance = owner?.hasAnswers === true && executionAsyncResource().constructor.name !== 'Immediate';
  if (owner !== null && !isByChance) {
    owner.take(error);
    return;
  }
  const isOrphan = owners.getStore() === undefined;
  if (isOrphan && listener?.onUncaught(`worker did not catch ${thrownTextAt(error, new Error('here'))}`) === true)
    return;
  if (notes++ >= MOST_NOTES) return;
  listener?.onNote(
    `An error that no trial waited for any more counts for none: ${thrownTextAt(error, new Error('here'))}\n`,
  );
}
