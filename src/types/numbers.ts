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
