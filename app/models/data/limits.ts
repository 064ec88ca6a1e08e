/**
 * Most characters of what people write, and most of what there may be. The database has the last word:
 * tests/contract/written-limits.test.ts holds both equal.
 */

/** A title, a client, a name, a role. */
export const LONGEST_LINE = 200;
/** What is said about one picture or video. */
export const LONGEST_CAPTION = 500;
export const LONGEST_ADDRESS = 2048;
/** A message, a note, an answer. */
export const LONGEST_MESSAGE = 5000;
/** A tag, a part of the work, the name of a link. */
export const LONGEST_LABEL = 60;
/** Somebody who is credited, or a tool. */
export const LONGEST_CREDIT_NAME = 120;
export const LONGEST_REPLY_NAME = 80;
/** One rich text as HTML, in bytes. */
export const LARGEST_TEXT = 100 * 1024;

export const MOST_TAGS = 500;
export const MOST_MEDIA = 50;
/** Parts of the work, and names of people or tools for each. */
export const MOST_CREDITS = 20;
export const MOST_CREDIT_NAMES = 20;
/** Chosen for the home page: what leaves the site is followed by the next. */
export const MOST_FEATURED = 12;
/** In US dollars. */
export const MOST_BUDGET = 1_000_000_000;
/** For which anything is kept. */
export const MOST_DAYS = 3650;
export const MOST_PEOPLE_ON_SHEET = 200;
export const MOST_INSTALMENTS = 36;

/** Characters as the database counts them: code points, without white space at either end. */
export const lengthOf = (text: string): number => [...text.trim()].length;
