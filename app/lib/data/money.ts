type Amount = number | bigint | `${number}`;

/** A formatter is expensive, so it is created once, on first use. */
function writer(locale: 'en-US' | 'en-IN', style?: Intl.NumberFormatOptions): (amount: Amount) => string {
  let format: Intl.NumberFormat | undefined;
  return (amount) => {
    format ??= new Intl.NumberFormat(locale, style);
    return format.format(amount);
  };
}

/** `$1,250`, or `$1,250.50` with cents. */
export const dollars: (amount: number) => string = writer('en-US', {
  style: 'currency',
  currency: 'USD',
  trailingZeroDisplay: 'stripIfInteger',
});

export const dollarsAndCents = (amount: number): string => inCurrency(amount, 'USD');

const writers = new Map<string, (amount: Amount) => string>();

/** An amount in its currency's notation. @param amount as a text, exact to the last digit */
export function inCurrency(amount: number | `${number}`, currency: string): string {
  let write = writers.get(currency);
  if (!write) {
    write = writer(currency === 'INR' ? 'en-IN' : 'en-US', { style: 'currency', currency });
    writers.set(currency, write);
  }
  return write(amount);
}

export const rupees: (amount: number | bigint) => string = writer('en-IN');
