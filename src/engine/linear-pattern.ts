import { RE2JS } from 're2js';

/**
 * A user's pattern that stands where a `RegExp` is expected but searches in time linear in the text. Takes the syntax
 * of JSON Schema patterns without look-around and back-references; throws for those.
 */
export class LinearPattern extends RegExp {
  // Private, so that whoever walks a schema's own keys does not walk into the compiled program.
  readonly #pattern: RE2JS;
  readonly #text: string;

  constructor(pattern: string) {
    super('');
    this.#pattern = RE2JS.compile(RE2JS.translateRegExp(pattern));
    this.#text = pattern;
  }

  override test(text: string): boolean {
    return this.#pattern.test(text);
  }

  override toString(): string {
    return this.#text;
  }
}
