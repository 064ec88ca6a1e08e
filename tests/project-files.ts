import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const root = join(import.meta.dirname, '..');

/** Paths of the project's files, without those that `.gitignore` names. Does not need Git. */
export function projectFiles(): string[] {
  const ignored = readFileSync(join(root, '.gitignore'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.replace(/\/$/, ''))
    .map((line) => (line.startsWith('/') ? line.slice(1) : `**/${line}`));
  return globSync(['**', '**/.*', '**/.*/**'], { cwd: root, exclude: ['.git', ...ignored], withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(root, join(parentPath, name)))
    .sort();
}
