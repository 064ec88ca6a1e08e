import { openBrowser } from '../browser.ts';

/** The browser of all test files of a process, with which it ends. */
export const browser = await openBrowser();
