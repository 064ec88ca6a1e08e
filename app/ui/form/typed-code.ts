export const SHORTEST_CODE = 6;
const LONGEST_CODE = 10;

/** Codes are displayed with spaces or hyphens, and pasted with surrounding words. */
export const digitsOf = (typed: string): string => typed.replace(/\D/g, '').slice(0, LONGEST_CODE);

/** Whether a complete code was pasted or filled in, so that the form can be submitted. */
export function cameWhole(before: string, after: string): boolean {
  if (after.length < SHORTEST_CODE) return false;
  const changed = [...after].filter((digit, at) => digit !== before[at]).length;
  // Typing and correcting change one digit at a time.
  return after.length > before.length + 1 || (after.length === before.length && changed > 1);
}
