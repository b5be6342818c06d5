import type { MessagePort } from 'node:worker_threads';
import type { ScenarioPlan } from '../../types/plan.ts';
import type { FromWorker, ToWorker } from '../messages.ts';

/** A worker's way to scenario plans: asks the host for those it will need, each once until it is taken. */
export class PlanClient {
  private readonly port: MessagePort;
  private readonly arrived = new Map<number, ScenarioPlan>();
  private readonly requestedPlans = new Set<number>();
  private wake: () => void = () => {};
  private gone = false;

  constructor(port: MessagePort) {
    this.port = port;
    port.on('message', (message: ToWorker) => {
      if (message.kind !== 'plans') return;
      for (const plan of message.plans) this.arrived.set(plan.index, plan);
      this.wake();
    });
    port.on('close', () => {
      this.gone = true;
      this.wake();
    });
  }

  request(scenarios: readonly number[]): void {
    const unknown = [...new Set(scenarios)].filter((scenario) => !this.requestedPlans.has(scenario));
    if (unknown.length === 0) return;
    for (const scenario of unknown) this.requestedPlans.add(scenario);
    this.port.postMessage({ kind: 'need', scenarios: unknown } satisfies FromWorker);
  }

  /** The plan, which is then forgotten; null when the host is gone. */
  async take(scenario: number): Promise<ScenarioPlan | null> {
    this.request([scenario]);
    for (;;) {
      const plan = this.arrived.get(scenario);
      if (plan !== undefined) {
        this.arrived.delete(scenario);
        this.requestedPlans.delete(scenario);
        return plan;
      }
      if (this.gone) return null;
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
  }
}
