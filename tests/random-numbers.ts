/**
 * Whole numbers from 0 to below `below`, the same for the same seed: what fails is met again.
 * @param seed a whole number
 */
export function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
