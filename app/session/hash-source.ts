import { createHash } from 'node:crypto';

export const hashSource = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
