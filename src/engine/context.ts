import type { Json } from '../types/json.ts';
import { PAYLOAD_SLOT, type SlotRead, TRIGGER_SLOT } from './graph.ts';
import { lookUp } from './path.ts';
import { zeros } from '../values/zeros.ts';
import { MAX_WALK_BYTES } from './value-bytes.ts';

/** What the nodes of one walk can read: outputs so far, the trigger, and what of it derives from a model's answer. */
export class Context {
  /** Last output by node; undefined: none yet. */
  readonly outputs: (Json | undefined)[];
  private readonly fromModel: number[];
  private readonly sizes: number[];
  private trigger: Json = null;
  private payload: Json = null;
  private payloadFromModel = false;
  /** What all outputs take, roughly. */
  bytes = 0;

  constructor(nodes: number) {
    this.outputs = new Array<Json | undefined>(nodes).fill(undefined);
    this.fromModel = zeros(nodes);
    this.sizes = zeros(nodes);
  }

  begin(payload: Json, trigger: Json, payloadFromModel: boolean): void {
    this.outputs.fill(undefined);
    this.fromModel.fill(0);
    this.sizes.fill(0);
    this.bytes = 0;
    this.payload = payload;
    this.trigger = trigger;
    this.payloadFromModel = payloadFromModel;
  }

  read({ slot, segments }: SlotRead): Json | undefined {
    const root = slot >= 0 ? this.outputs[slot] : this.reserved(slot);
    return root === undefined || segments.length === 0 ? root : lookUp(root, segments, 0);
  }

  /** True when what the path leads to may derive from a model's answer. */
  readsModel({ slot }: SlotRead): boolean {
    return slot >= 0 ? this.fromModel[slot] === 1 : this.payloadFromModel;
  }

  /** Keeps a node's output in place of its last one. False: the walk keeps more than it may. */
  store(node: number, output: Json, bytes: number, fromModel: boolean): boolean {
    this.outputs[node] = output;
    this.fromModel[node] = fromModel ? 1 : 0;
    this.bytes += bytes - (this.sizes[node] as number);
    this.sizes[node] = bytes;
    return this.bytes <= MAX_WALK_BYTES;
  }

  /** A node with the id `trigger` replaces the trigger entry; the raw payload stays. */
  replaceTrigger(entry: Json, fromModel: boolean): void {
    this.trigger = entry;
    this.payloadFromModel = this.payloadFromModel || fromModel;
  }

  isFromModel(node: number): boolean {
    return this.fromModel[node] === 1;
  }

  private reserved(slot: number): Json | undefined {
    if (slot === TRIGGER_SLOT) return this.trigger;
    return slot === PAYLOAD_SLOT ? this.payload : undefined;
  }
}
