import { LONGEST_EMAIL } from './email.ts';

/** Most characters of what people write. The database has the last word: tests/contract/written-limits.test.ts holds both equal. */
export const LONGEST = {
  /** A title, a client, a name, a role. */
  line: 200,
  email: LONGEST_EMAIL,
  /** What is said about one picture or video. */
  caption: 500,
  address: 2048,
  /** A message, a note, an answer. */
  message: 5000,
  /** A tag, a part of the work, the name of a link. */
  label: 60,
  /** Somebody who is credited, or a tool. */
  creditName: 120,
  replyName: 80,
} as const;

/** How many there may be. */
export const MOST = {
  tags: 500,
  media: 50,
  /** Parts of the work, and names of people or tools for each. */
  credits: 20,
  creditNames: 20,
  /** Chosen for the home page: what leaves the site is followed by the next. */
  featured: 12,
  /** In US dollars. */
  budget: 1_000_000_000,
  /** For which anything is kept. */
  days: 3650,
  peopleOnSheet: 200,
  instalments: 36,
} as const;
