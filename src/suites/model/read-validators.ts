import { misfitOf, parseValidator } from '../../checks/validators/parse-validator.ts';
import type { ValidatorType } from '../../plugin/validator-type.ts';
import type { Pointer } from '../../source/place-tree.ts';
import type { ModelTest, ValidatorUse } from '../../types/model-test.ts';
import type { Report } from '../../workflow/report.ts';

/** A validator as a file writes it for a test; null: it is none, or none for this test, as was reported. */
export type ValidatorReader = (text: string, place: ValidatorPlace) => ValidatorUse | null;

export interface ValidatorPlace {
  readonly test: Pick<ModelTest, 'input' | 'stream'>;
  readonly at: Pointer;
  readonly report: Report;
}

/** Knows the validators of these types alone. */
export function validatorReader(types: ReadonlyMap<string, ValidatorType>): ValidatorReader {
  return (text, { test, at, report }) => {
    const parsed = parseValidator(text, types);
    if ('use' in parsed) {
      const type = types.get(parsed.use.type);
      const misfit = type === undefined ? null : misfitOf(type, test);
      if (misfit === null) return parsed.use;
      report({ code: 'unfit_validator', message: misfit, at });
      return null;
    }
    report({ code: 'unknown_validator', message: parsed.problem, at, hint: parsed.hint });
    return null;
  };
}
