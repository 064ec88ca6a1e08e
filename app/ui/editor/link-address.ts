const KEPT = ['http:', 'https:', 'mailto:', 'tel:'];
const EMAIL = /^[^\s@/:?#<>]+@[^\s@/:?#<>]+\.[^\s@/:?#<>]+$/;
const DOMAIN = /^[^\s/:?#.]+(?:\.[^\s/:?#.]+)+(?:[/:?#]\S*)?$/;

/**
 * The address a link gets for what was typed: an e-mail address becomes a mailto link, a bare domain an https link.
 * Null for any other protocol than http, https, mailto and tel, and for what is no address.
 */
export function linkAddress(typed: string): string | null {
  const text = typed.trim();
  if (text === '' || text.length > 2048) return null;
  if (EMAIL.test(text)) return `mailto:${text}`;
  // A place on this site or in this text.
  if (/^(?:\/(?!\/)|#)\S*$/.test(text)) return text;
  if (/^[a-z][a-z0-9+-]*:/i.test(text)) {
    const url = URL.parse(text);
    // Browsers skip control characters and spaces inside a protocol, so an address with them is written anew.
    return url && KEPT.includes(url.protocol) ? (/[\s\p{Cc}]/u.test(text) ? url.href : text) : null;
  }
  return DOMAIN.test(text) && URL.canParse(`https://${text}`) ? `https://${text}` : null;
}
