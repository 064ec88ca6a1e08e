type Amount = number | bigint | `${number}`;

const formats = new Map<string, Intl.NumberFormat>();

/** A formatter is expensive, so each is created once, on first use. */
function formatted(amount: Amount, locale: 'en-US' | 'en-IN', style: Intl.NumberFormatOptions = {}): string {
  const key = JSON.stringify([locale, style]);
  const format = formats.get(key) ?? new Intl.NumberFormat(locale, style);
  formats.set(key, format);
  return format.format(amount);
}

/** `$1,250`, or `$1,250.50` with cents. */
export const dollars = (amount: number): string =>
  formatted(amount, 'en-US', { style: 'currency', currency: 'USD', trailingZeroDisplay: 'stripIfInteger' });

export const dollarsAndCents = (amount: number): string => inCurrency(amount, 'USD');

/** An amount in its currency's notation. @param amount as a text, exact to the last digit */
export const inCurrency = (amount: number | `${number}`, currency: string): string =>
  formatted(amount, currency === 'INR' ? 'en-IN' : 'en-US', { style: 'currency', currency });

export const rupees = (amount: number | bigint): string => formatted(amount, 'en-IN');
