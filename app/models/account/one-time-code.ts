/** Seconds that the service wants us to wait before it sends again, from its own words; null when it did not say so. */
export function waitIn(message: string): number | null {
  const [, seconds] = /only request this after (\d{1,5}) seconds?/i.exec(message) ?? [];
  return seconds === undefined ? null : Number(seconds);
}

/** A phone number as the service takes it, `+` and digits; null when it cannot be one. */
export function phoneNumber(typed: string): string | null {
  const plain = typed.replace(/[\s().\-/]/g, '').replace(/^00/, '+');
  return /^\+[1-9]\d{6,14}$/.test(plain) ? plain : null;
}

/** The domain of a work address, or the domain itself; null when it is neither. */
export function domainOf(typed: string): string | null {
  const domain = typed.trim().toLowerCase().split('@').at(-1)!;
  return domain.length <= 253 && /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(domain) ? domain : null;
}
