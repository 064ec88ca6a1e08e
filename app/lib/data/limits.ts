/** Limits that forms check. The server's table is packages/backend/config/config.ts; tests/contract/written-limits.test.ts compares them. */
export const MAX_LINE_LENGTH = 200;
export const MAX_CAPTION_LENGTH = 500;
export const MAX_ADDRESS_LENGTH = 2048;
export const MAX_MESSAGE_LENGTH = 5000;
export const MAX_LABEL_LENGTH = 60;
export const MAX_CREDIT_NAME_LENGTH = 120;
export const MAX_REPLY_NAME_LENGTH = 80;
export const MAX_TAGS = 500;
export const MAX_MEDIA = 50;
export const MAX_CREDITS = 20;
export const MAX_CREDIT_NAMES = 20;
export const MAX_FEATURED = 12;
export const MAX_BUDGET = 1_000_000_000;
export const MAX_DAYS = 3650;
export const MAX_PEOPLE_PER_SHEET = 200;
export const MAX_INSTALMENTS = 36;
/** Bytes. */
export const MAX_FILE_BYTES = 10_485_760;
export const MAX_TEXT_BYTES = 102_400;

/** Characters as the database counts them: code points, without white space at either end. */
export const lengthOf = (text: string): number => [...text.trim()].length;
