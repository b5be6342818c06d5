import type { TSchema } from 'typebox';
import { schemaViolations } from '../../source/fits-schema.ts';
import type { Pointer } from '../../source/place-tree.ts';
import type { Json } from '../../types/json.ts';
import type { Report } from '../../workflow/report.ts';

/** The parts of a document that do not fit its schema, so that whoever reads on tells nothing that only follows from them. */
export class WrongParts {
  private readonly places: readonly Pointer[];

  constructor(schema: TSchema, data: Json) {
    this.places = schemaViolations(schema, data).map(({ path, broken }) =>
      broken.keyword === 'required' ? [...path, broken.key] : path,
    );
  }

  /** True: something at this place, or inside it, is wrong. */
  has(at: Pointer): boolean {
    return this.places.some((place) => isWithin(place, at));
  }

  /** Leaves out what is told of a part that is wrong, of what is in it, or of what it is in. */
  without(report: Report): Report {
    if (this.places.length === 0) return report;
    return (found) => {
      if (!this.has(found.at) && !this.places.some((place) => isWithin(found.at, place))) report(found);
    };
  }
}

function isWithin(inner: Pointer, outer: Pointer): boolean {
  return outer.length <= inner.length && outer.every((step, at) => step === inner[at]);
}
