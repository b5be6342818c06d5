import type { Json } from '../../types/json.ts';

/**
 * The tables and lists of a state that its session has copied and that nothing else holds. They are changed in place, so that
 * a session copies a large table once. Whatever holds such a part has it to itself, too: parts lead up to the whole state.
 */
export class OwnParts {
  // Weak: what was overwritten is not kept until the session ends.
  private parts = new WeakSet<object>();
  private undoings: (() => void)[] = [];

  has(part: object): boolean {
    return this.parts.has(part);
  }

  /** Takes in a copy that was just made. */
  add<T extends object>(copy: T): T {
    this.parts.add(copy);
    return copy;
  }

  /** Somebody else holds this value from now on, and must not see it change. */
  share(value: Json | undefined): void {
    if (typeof value !== 'object' || value === null || !this.parts.delete(value)) return;
    for (const part of Object.values(value)) this.share(part);
  }

  /** Somebody else holds the whole state. */
  shareAll(): void {
    this.parts = new WeakSet();
    this.undoings = [];
  }

  /** Notes how a change in place is taken back. */
  noteChange(undo: () => void): void {
    this.undoings.push(undo);
  }

  /** What was changed in place stays. */
  keep(): void {
    this.undoings.length = 0;
  }

  /** Takes back what was changed in place since it was last kept. */
  takeBack(): void {
    for (const undo of this.undoings.toReversed()) undo();
    this.keep();
  }
}
