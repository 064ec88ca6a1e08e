/** Limits that forms check. The server's table is packages/backend/config/config.ts; tests/contract/written-limits.test.ts compares them. */
export const LONGEST_LINE = 200;
export const LONGEST_CAPTION = 500;
export const LONGEST_ADDRESS = 2048;
export const LONGEST_MESSAGE = 5000;
export const LONGEST_LABEL = 60;
export const LONGEST_CREDIT_NAME = 120;
export const LONGEST_REPLY_NAME = 80;
export const MOST_TAGS = 500;
export const MOST_MEDIA = 50;
export const MOST_CREDITS = 20;
export const MOST_CREDIT_NAMES = 20;
export const MOST_FEATURED = 12;
export const MOST_BUDGET = 1_000_000_000;
export const MOST_DAYS = 3650;
export const MOST_PEOPLE_ON_SHEET = 200;
export const MOST_INSTALMENTS = 36;
/** Bytes. */
export const LARGEST_FILE = 10_485_760;
export const LARGEST_FILM = 209_715_200;
export const LARGEST_CAPTIONS = 1_048_576;
export const LARGEST_TEXT = 102_400;

/** Characters as the database counts them: code points, without white space at either end. */
export const lengthOf = (text: string): number => [...text.trim()].length;
