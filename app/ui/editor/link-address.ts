const ALLOWED_PROTOCOLS = ['http:', 'https:', 'mailto:', 'tel:'];
const EMAIL = /^[^\s@/:?#<>]+@[^\s@/:?#<>]+\.[^\s@/:?#<>]+$/;
const DOMAIN = /^[^\s/:?#.]+(?:\.[^\s/:?#.]+)+(?:[/:?#]\S*)?$/;

/** Adds mailto or https; null for protocols other than http, https, mailto and tel, and for invalid addresses. */
export function linkAddress(typed: string): string | null {
  const text = typed.trim();
  if (text === '' || text.length > 2048) return null;
  if (EMAIL.test(text)) return `mailto:${text}`;
  if (/^(?:\/(?!\/)|#)\S*$/.test(text)) return text;
  if (/^[a-z][a-z0-9+-]*:/i.test(text)) {
    const url = URL.parse(text);
    // Browsers skip control characters and spaces inside a protocol, so such an address is normalised.
    return url && ALLOWED_PROTOCOLS.includes(url.protocol) ? (/[\s\p{Cc}]/u.test(text) ? url.href : text) : null;
  }
  return DOMAIN.test(text) && URL.canParse(`https://${text}`) ? `https://${text}` : null;
}
