/** The shortest code any of our services sends. */
export const SHORTEST_CODE = 6;
const LONGEST_CODE = 10;

/** The digits of what was typed or pasted: codes are shown with spaces or hyphens, and pasted with words around them. */
export const digitsOf = (typed: string): string => typed.replace(/\D/g, '').slice(0, LONGEST_CODE);

/** Whether somebody pasted or filled in a whole code at once, so that nothing is left to do but to send it. */
export function cameWhole(before: string, after: string): boolean {
  if (after.length < SHORTEST_CODE) return false;
  const changed = [...after].filter((digit, at) => digit !== before[at]).length;
  // Whoever types or mends changes one digit at a time.
  return after.length > before.length + 1 || (after.length === before.length && changed > 1);
}
