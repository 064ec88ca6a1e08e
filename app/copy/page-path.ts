import type { href } from 'react-router';

/** A route of the table, as `href()` takes it. */
type Pattern = Parameters<typeof href>[0];
/** Without those that need a parameter. */
type Fixed = { [Path in Pattern]: Path extends `${string}${':' | '*'}${string}` ? never : Path }[Pattern];

/**
 * The address of a page of ours, as it stands in a table of links or in a script that does without the router. All else
 * asks `href()`.
 */
export type PagePath = Fixed | `${Fixed}${'?' | '#'}${string}`;

/** The same for a page with a parameter at its end: `/drafts/${string}` for `/drafts/:id`. */
export type PathOf<Path extends Pattern> = Path extends `${infer Start}/:${string}` ? `${Start}/${string}` : Path;
