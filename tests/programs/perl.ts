import { spawnSync } from 'node:child_process';

/** Whether this machine's Perl can unpack what a PNG holds. Debian's smallest one cannot. */
export const perlReadsPng = (): boolean => spawnSync('perl', ['-MCompress::Zlib', '-e', '1']).status === 0;
