import type { McpAnswer, McpQuestion } from '../../plugin/mcp-request.ts';
import type { JsonObject } from '../../types/json.ts';

/** A call to a server of an older revision, which asks in messages of its own while the call is out. */
export class PendingCall<T> {
  readonly #controller = new AbortController();
  readonly #answer: Promise<T>;
  readonly #open = new Map<string, (answer: McpAnswer) => void>();
  #asked: McpQuestion[] = [];
  #wake: () => void = () => undefined;
  #count = 0;

  /** `start`: makes the call. */
  constructor(start: (signal: AbortSignal) => Promise<T>) {
    this.#answer = start(this.#controller.signal);
  }

  /** The server asks; resolves with what it is to be told. Rejects with why there is no answer. */
  ask(question: Omit<McpQuestion, 'key'>): Promise<JsonObject> {
    const key = `q${++this.#count}`;
    this.#asked.push({ ...question, key });
    return new Promise((resolve, reject) => {
      this.#open.set(key, (answer) =>
        'result' in answer ? resolve(answer.result) : reject(new Error(answer.problem)),
      );
      this.#wake();
    });
  }

  answer(answers: Readonly<Record<string, McpAnswer>>): void {
    for (const [key, answer] of Object.entries(answers)) {
      this.#open.get(key)?.(answer);
      this.#open.delete(key);
    }
  }

  /** What comes first: the call's answer, or questions. */
  next(): Promise<{ readonly answer: T } | { readonly questions: readonly McpQuestion[] }> {
    const asked = new Promise<{ readonly questions: readonly McpQuestion[] }>((resolve) => {
      this.#wake = () => {
        const questions = this.#asked;
        this.#asked = [];
        this.#wake = () => undefined;
        resolve({ questions });
      };
      if (this.#asked.length > 0) this.#wake();
    });
    return Promise.race([this.#answer.then((answer) => ({ answer })), asked]);
  }

  /** Nobody waits for the call any more: it is taken back, and the server gets no answers. */
  abandon(): void {
    this.#controller.abort('the time is up');
    const problem = 'nobody waits for the call any more';
    this.answer(Object.fromEntries([...this.#open.keys()].map((key) => [key, { problem }])));
  }

  /** Resolves when the call is over, however it ended. */
  async over(): Promise<void> {
    await Promise.allSettled([this.#answer]);
  }
}
