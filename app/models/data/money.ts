type Amount = number | bigint | `${number}`;

/** A formatter costs far more than what it writes, so it is made once, by the first who needs it. */
function writer(locale: 'en-US' | 'en-IN', style?: Intl.NumberFormatOptions): (amount: Amount) => string {
  let format: Intl.NumberFormat | undefined;
  return (amount) => {
    format ??= new Intl.NumberFormat(locale, style);
    return format.format(amount);
  };
}

/** `$1,250`, or `$1,250.50` where there are cents. */
export const dollars: (amount: number) => string = writer('en-US', {
  style: 'currency',
  currency: 'USD',
  trailingZeroDisplay: 'stripIfInteger',
});

/** `$1,250.00`. */
export const dollarsAndCents = (amount: number): string => inCurrency(amount, 'USD');

const writers = new Map<string, (amount: Amount) => string>();

/** An amount as people of its currency write it. @param amount exact to the last digit as a text */
export function inCurrency(amount: number | `${number}`, currency: string): string {
  let write = writers.get(currency);
  if (!write) {
    write = writer(currency === 'INR' ? 'en-IN' : 'en-US', { style: 'currency', currency });
    writers.set(currency, write);
  }
  return write(amount);
}

/** `5,00,000`, as India groups digits; the sign of the rupee stands beside it. */
export const rupees: (amount: number | bigint) => string = writer('en-IN');
