/** Seconds to wait before the service sends again, parsed from its message; null when it names none. */
export function waitIn(message: string): number | null {
  const [, seconds] = /only request this after (\d{1,5}) seconds?/i.exec(message) ?? [];
  return seconds === undefined ? null : Number(seconds);
}

/** A phone number in the service's form, `+` and digits; null when it cannot be one. */
export function phoneNumber(typed: string): string | null {
  const plain = typed.replace(/[\s().\-/]/g, '').replace(/^00/, '+');
  return /^\+[1-9]\d{6,14}$/.test(plain) ? plain : null;
}

export function domainOf(typed: string): string | null {
  const domain = typed.trim().toLowerCase().split('@').at(-1)!;
  return domain.length <= 253 && /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(domain) ? domain : null;
}
