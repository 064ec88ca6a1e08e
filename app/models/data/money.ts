/** `$1,250`, or `$1,250.50` where there are cents. */
export const dollars = (amount: number): string =>
  new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency: 'USD',
    trailingZeroDisplay: 'stripIfInteger',
  }).format(amount);

/** `$1,250.00`. */
export const dollarsAndCents = (amount: number): string => inCurrency(amount, 'USD');

/** An amount as people of its currency write it. @param amount exact to the last digit as a text */
export const inCurrency = (amount: number | `${number}`, currency: string): string =>
  new Intl.NumberFormat(currency === 'INR' ? 'en-IN' : 'en-US', { style: 'currency', currency }).format(amount);

/** `5,00,000`, as India groups digits; the sign of the rupee stands beside it. */
export const rupees = (amount: number | bigint): string => new Intl.NumberFormat('en-IN').format(amount);
