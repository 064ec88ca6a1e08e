import { afterAll } from 'vitest';
import { browser } from './shared-browser.ts';

afterAll(() => Promise.all(browser.contexts().map((context) => context.close())));
