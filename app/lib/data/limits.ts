import type { limits } from '../../../config.ts';

/**
 * The limits of config.ts that forms check, as plain numbers that are inlined into the bundle. config.ts is the
 * server's; the type of each makes the compiler compare it with the table.
 */
type Value<Name extends keyof typeof limits> = (typeof limits)[Name]['value'];

export const LONGEST_LINE: Value<'line'> = 200;
export const LONGEST_CAPTION: Value<'caption'> = 500;
export const LONGEST_ADDRESS: Value<'address'> = 2048;
export const LONGEST_MESSAGE: Value<'message'> = 5000;
export const LONGEST_LABEL: Value<'label'> = 60;
export const LONGEST_CREDIT_NAME: Value<'creditName'> = 120;
export const LONGEST_REPLY_NAME: Value<'replyName'> = 80;
export const MOST_TAGS: Value<'tags'> = 500;
export const MOST_MEDIA: Value<'media'> = 50;
export const MOST_CREDITS: Value<'credits'> = 20;
export const MOST_CREDIT_NAMES: Value<'creditNames'> = 20;
export const MOST_FEATURED: Value<'featured'> = 12;
export const MOST_BUDGET: Value<'budget'> = 1_000_000_000;
export const MOST_DAYS: Value<'retentionDays'> = 3650;
export const MOST_PEOPLE_ON_SHEET: Value<'sheetPeople'> = 200;
export const MOST_INSTALMENTS: Value<'instalments'> = 36;
/** Bytes. */
export const LARGEST_FILE: Value<'fileBytes'> = 10_485_760;
export const LARGEST_TEXT: Value<'richText'> = 102_400;

/** Characters as the database counts them: code points, without white space at either end. */
export const lengthOf = (text: string): number => [...text.trim()].length;
