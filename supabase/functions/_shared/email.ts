/** The longest address that mail servers take. */
export const LONGEST_EMAIL = 254;
const PART = String.raw`[^\s\p{Cc}@<>()[\]\\,;:"]+`;
const EMAIL = new RegExp(`^${PART}@${PART}$`, 'u');
const DOMAIN_WITH_DOT = /@.+\.[^.]+$/;

/** True for the form of an address that an account can have, such as `asha@localhost`. */
export const isAccountEmail = (text: string): boolean => text.length <= LONGEST_EMAIL && EMAIL.test(text);

/** True for the form of an address that mail reaches from anywhere. The database asks for the same. */
export const isEmail = (text: string): boolean => isAccountEmail(text) && DOMAIN_WITH_DOT.test(text);
