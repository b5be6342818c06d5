import { defectsIn, type Saboteur } from '../saboteur.ts';

/** Defects of enumeration: leaves left out, told twice, or counted with another chance than theirs. */
export const exactDefects: readonly Saboteur[] = [
  ...defectsIn('intelligence/answer-path.ts', [
    {
      name: 'enumeration leaves out the last answer of each choice',
      find: 'if (choice.at + 1 < choice.possible.variants.length) {',
      replace: 'if (choice.at + 2 < choice.possible.variants.length) {',
    },
    {
      name: 'enumeration takes answers for equally likely',
      find: 'width: possible.widths[chosen] as number,',
      replace: 'width: 2 ** 32 / possible.widths.length,',
    },
    {
      name: 'enumeration gives a repeated turn the same answer again',
      find: 'const choice = this.choices[this.depth++];',
      replace:
        'const choice = this.choices.find((choice) => choice.turn === turn.index) ?? this.choices[this.depth++];',
    },
  ]),
  ...defectsIn('trial/failing-prefixes.ts', [
    {
      name: 'failing sequences go on after all is lost',
      find: 'if (parent?.allFailed === true) parent.held.push(prefix);',
      replace: 'if (length > 99) parent?.held.push(prefix);',
      noticedBy: 'passed',
    },
  ]),
  ...defectsIn('trial/enumerate-answers.ts', [
    {
      name: 'leaves count the same however likely they are',
      find: 'verdict.add(chance);',
      replace: 'verdict.add({ count: 1n, bits: 2 });',
    },
  ]),
];
