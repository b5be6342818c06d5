import { brokenAnswer } from '../../effects/answers.ts';
import type { Address, Answer, Ports, Request } from '../../plugin/request.ts';
import type { RealTime } from '../../types/real-time.ts';
import { EventLine } from './event-line.ts';
import { decodeTape, type TapeEntry, tapeKey } from './tape-entry.ts';
import type { TapedPorts, TapeStore, TrialTape } from './tape.ts';
import { groupBy } from '../../values/group-by.ts';
import { replayMiss } from '../../values/replay-miss.ts';

/** Answers in place of the outside world, with what it answered when the trial was recorded, at the same times. */
export class ReplayingTape implements TrialTape {
  readonly ports: Ports;
  private readonly inner: TapedPorts;
  private readonly store: TapeStore;
  private line = new EventLine(null);
  /** What is left, by key, in the order of the questions; null: nothing was recorded of this trial. */
  private left: Map<string, TapeEntry[]> | null = null;

  constructor(inner: TapedPorts, store: TapeStore) {
    this.inner = inner;
    this.store = store;
    this.ports = { ask: (request, at, signal) => this.ask(request, at, signal), overlaps: inner.overlaps };
  }

  async begin(trial: number): Promise<RealTime> {
    this.line = new EventLine(null);
    this.left = null;
    const bytes = await this.store.read(trial);
    if (bytes === null) return this.line;
    const entries = decodeTape(bytes);
    if (entries === null) throw new Error(`The cassette holds no answers where those of trial ${trial} should be.`);
    this.left = groupBy(entries, ({ key }) => key);
    return this.line;
  }

  end(): Promise<void> {
    this.drop();
    return Promise.resolve();
  }

  drop(): void {
    this.line.close();
    this.left = null;
  }

  private ask(request: Request, at: Address, signal: AbortSignal | undefined): Answer | Promise<Answer> {
    const { inner, line } = this;
    if (!inner.mayAskOutside(request)) return inner.ask(request, at, signal);
    const entry = this.left?.get(tapeKey(at.walk, request))?.shift();
    if (entry === undefined) return this.missing(request, at);
    switch (entry.kind) {
      case 'plan':
        return inner.ask(request, at, signal);
      case 'refusal':
        return entry.answer;
      case 'silence':
        return new Promise(() => undefined);
      case 'answer': {
        const { answer, atUs } = entry;
        if (answer.reply.kind === 'value') inner.noteWritten(request);
        return new Promise((resolve) => line.arrival(atUs, () => resolve(answer)));
      }
    }
  }

  private missing(request: Request, { node, visit }: Address): Answer {
    const question = `${subjectOf(request)}, asked by node "${node}" on visit ${visit}`;
    const why =
      this.left === null
        ? 'it holds nothing of this trial'
        : 'the scenario has changed since it was recorded, or chance went another way';
    const asked = `The cassette does not hold what is asked for (${question}): ${why}.`;
    return brokenAnswer(replayMiss(`${asked} Record it again with --record.`));
  }
}

const LONGEST = 200;

/** What is asked for, in a few words. */
function subjectOf(request: Request): string {
  return shortened(words(request));
}

function words(request: Request): string {
  switch (request.port) {
    case 'model':
      return `model "${request.backend}"`;
    case 'http':
      return `${request.method} ${request.url}`;
    case 'process':
      return `the program ${request.command}`;
    case 'mcp':
      return `MCP ${request.op} ${request.target}`;
    case 'client':
      return request.op === 'tools' ? `the tools of MCP server ${request.server}` : 'a question of an MCP server';
    case 'env':
      return `the variable ${request.key}`;
    case 'file':
      return `${request.op} of ${request.path}`;
    case 'host':
      return `the function ${request.name}`;
    case 'children':
      return 'child workflows';
  }
}

function shortened(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`;
}
