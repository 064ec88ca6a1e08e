/**
 * Returns a generator of integers from 0 to below `below`. The same seed gives the same sequence, so that failures repeat.
 * @param seed an integer
 */
export function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
