import type { href } from 'react-router';

type Pattern = Parameters<typeof href>[0];
type StaticPath = { [Path in Pattern]: Path extends `${string}${':' | '*'}${string}` ? never : Path }[Pattern];

/** Type of our own addresses in link tables and in scripts without the router; elsewhere use `href()`. */
export type PagePath = StaticPath | `${StaticPath}${'?' | '#'}${string}`;

export type PathOf<Path extends Pattern> = Path extends `${infer Start}/:${string}` ? `${Start}/${string}` : Path;
