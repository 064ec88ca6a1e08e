export const MAX_EMAIL_LENGTH = 254;
const PART = String.raw`[^\s\p{Cc}@<>()[\]\\,;:"]+`;
const EMAIL = new RegExp(`^${PART}@${PART}$`, 'u');
const DOMAIN_WITH_DOT = /@.+\.[^.]+$/;

export const isAccountEmail = (text: string): boolean => text.length <= MAX_EMAIL_LENGTH && EMAIL.test(text);

export const isEmail = (text: string): boolean => isAccountEmail(text) && DOMAIN_WITH_DOT.test(text);
