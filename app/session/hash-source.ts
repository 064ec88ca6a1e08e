import { createHash } from 'node:crypto';

/** What a content security policy calls an inline script or style of this text. */
export const hashSource = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
