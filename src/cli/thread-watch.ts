import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';

/** Longer than anything that a plug-in should do without a pause. */
const PATIENCE_MS = 30_000;

/** The global name of the function by which the watched thread speaks. */
const SAY = 'passk thread watch';
const SAYING = Symbol.for(SAY);

/**
 * Runs in a thread of its own. While that of the command does not turn, it is halted for a moment, as by a debugger, to see where
 * it is, and to have it say so. Only code of others is told: what passk itself computes comes to an end.
 */
const WATCHER = `
const { Session } = require('node:inspector');
const { basename } = require('node:path');
const { fileURLToPath } = require('node:url');
const { workerData: { beats, patienceMs, own, say } } = require('node:worker_threads');

function placeOf(url, { lineNumber, columnNumber }) {
  if (!url.startsWith('file:') || fileURLToPath(url).startsWith(own)) return null;
  return basename(fileURLToPath(url)) + ':' + (lineNumber + 1) + ':' + (columnNumber + 1);
}

function look() {
  const session = new Session();
  const urls = new Map();
  session.connectToMainThread();
  session.on('Debugger.scriptParsed', ({ params: { scriptId, url } }) => urls.set(scriptId, url));
  session.once('Debugger.paused', ({ params: { callFrames } }) => {
    const places = callFrames.map(({ location }) => placeOf(urls.get(location.scriptId) ?? '', location));
    const place = places.find((one) => one !== null);
    const expression = 'globalThis[Symbol.for(' + JSON.stringify(say) + ')]?.(' + JSON.stringify(place) + ')';
    if (place !== undefined) session.post('Runtime.evaluate', { expression });
    session.post('Debugger.resume');
    session.disconnect();
  });
  session.post('Debugger.enable');
  session.post('Debugger.pause');
}

let before = -1;
let since = 0;
let looked = false;
setInterval(() => {
  const now = Atomics.load(beats, 0);
  if (now !== before) [before, since, looked] = [now, performance.now(), false];
  if (looked || performance.now() - since < patienceMs) return;
  looked = true;
  look();
}, patienceMs / 10);
`;

export interface ThreadWatchOptions {
  /** Says a sentence although the thread is busy. */
  readonly say: (sentence: string) => void;
  readonly patienceMs?: number;
}

/**
 * Says, once, where a plug-in computes without a pause on the thread of the command. Meanwhile that thread does nothing else, and
 * hears no signal. Returns what ends the watch.
 */
export function watchThread({ say, patienceMs = PATIENCE_MS }: ThreadWatchOptions): () => void {
  const beats = new Int32Array(new SharedArrayBuffer(4));
  const beating = setInterval(() => Atomics.add(beats, 0, 1), patienceMs / 10).unref();
  const shared = globalThis as { [SAYING]?: (place: string) => void };
  shared[SAYING] = (place) =>
    say(
      `${place} has computed for ${patienceMs / 1000} s without a pause. Until it ends nothing else is done, and Ctrl-C is not heard; kill -9 ${process.pid} ends passk.`,
    );
  // What is built of passk stands beside this file.
  const own = path.dirname(fileURLToPath(import.meta.url)) + path.sep;
  const watcher = new Worker(WATCHER, { eval: true, execArgv: [], workerData: { beats, patienceMs, own, say: SAY } });
  // Some runtimes let no thread look into another.
  watcher.on('error', () => undefined);
  watcher.unref();
  return () => {
    clearInterval(beating);
    delete shared[SAYING];
    void watcher.terminate();
  };
}
