import { spawnSync } from 'node:child_process';

/** Whether Perl can decompress PNG data. The minimal Perl of Debian cannot. */
export const perlReadsPng = (): boolean => spawnSync('perl', ['-MCompress::Zlib', '-e', '1']).status === 0;
