export const MIN_CODE_LENGTH = 6;
const MAX_CODE_LENGTH = 10;

/** Codes are displayed with spaces or hyphens, and pasted with surrounding words. */
export const digitsOf = (typed: string): string => typed.replace(/\D/g, '').slice(0, MAX_CODE_LENGTH);

/** Whether a complete code was pasted or filled in, so that the form can be submitted. */
export function isPasted(before: string, after: string): boolean {
  if (after.length < MIN_CODE_LENGTH) return false;
  const changedDigits = [...after].filter((digit, at) => digit !== before[at]).length;
  // Typing and correcting change one digit at a time.
  return after.length > before.length + 1 || (after.length === before.length && changedDigits > 1);
}
