/** Apart from `packages.ts`, because it loads slowly. */
export { default, type Options, type Request, type Response } from 'samlp';
