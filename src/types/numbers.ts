/**
 * A whole number from 0.
 * @asType integer
 * @minimum 0
 */
export type Count = number;

/**
 * A number from 0: tokens, milliseconds, dollars.
 * @minimum 0
 */
export type Amount = number;

/**
 * A number in [0, 1]: a pass rate, a chance, a p-value.
 * @minimum 0
 * @maximum 1
 */
export type Proportion = number;

/**
 * Trials of one scenario.
 * @asType integer
 * @minimum 0
 * @maximum 4294967296
 */
export type Trials = number;

/**
 * 32 bits.
 * @asType integer
 * @minimum 0
 * @maximum 4294967295
 */
export type Word = number;
