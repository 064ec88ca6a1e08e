import type { UploadPlace } from './upload.ts';

/** How much may still be uploaded, as the server counts it: for an account, or for a guest's address. */
export interface Allowance {
  files: { limit: number; left: number };
  bytes: { limit: number; left: number };
  /** When all of it may be uploaded again, in ms since 1970; null while nothing is used up. */
  resetsAt: number | null;
}

/** What a place says of its allowance: a hosted project has none. */
export type AllowanceAnswer = Allowance | 'none' | 'unreachable';

/** Two answers name the same moment, to within the second that the server rounds to. */
const SAME_MOMENT_MS = 2_000;

/** @param before the last answer, whose moment is kept while it is the same one */
export async function readAllowance(place: UploadPlace, before: Allowance | null): Promise<AllowanceAnswer> {
  try {
    const token = (await place.token()) ?? (place.key.startsWith('sb_') ? null : place.key);
    const answer = await fetch(`${place.url}/storage/v1/upload/allowance`, {
      headers: { apikey: place.key, ...(token && { authorization: `Bearer ${token}` }) },
      cache: 'no-store',
    });
    if (!answer.ok) return answer.status < 500 ? 'none' : 'unreachable';
    const said = (await answer.json()) as (Omit<Allowance, 'resetsAt'> & { seconds: number }) | null;
    if (!said) return 'none';
    const { files, bytes, seconds } = said;
    const resetsAt = seconds > 0 ? Date.now() + seconds * 1000 : null;
    const isSame = resetsAt !== null && Math.abs(resetsAt - (before?.resetsAt ?? 0)) < SAME_MOMENT_MS;
    return { files, bytes, resetsAt: isSame ? before!.resetsAt : resetsAt };
  } catch {
    return 'unreachable';
  }
}

/** Whether a file of so many bytes may be uploaded now. */
export const hasRoom = ({ files, bytes }: Allowance, size: number): boolean => files.left > 0 && bytes.left >= size;

/** What is left when a file of so many bytes is on its way. */
export const without = ({ files, bytes, resetsAt }: Allowance, size: number): Allowance => ({
  files: { ...files, left: Math.max(0, files.left - 1) },
  bytes: { ...bytes, left: Math.max(0, bytes.left - size) },
  resetsAt,
});

/** Files that wait to be uploaded, and what may be. */
export interface UploadsAhead {
  allowance: Allowance;
  /** Bytes of each file that is not on its way yet, in their order. */
  sizes: readonly number[];
  /** The next one has no room: it is uploaded by itself when there is. */
  isPaused: boolean;
}

/** How many of the files ahead have no room any more. */
export function withoutRoom({ allowance, sizes }: UploadsAhead): number {
  let rest = allowance;
  const fits = sizes.findIndex((size) => {
    if (!hasRoom(rest, size)) return true;
    rest = without(rest, size);
    return false;
  });
  return fits === -1 ? 0 : sizes.length - fits;
}

/** True where little is left besides what is ahead: less than a fifth of the files or the bytes. */
export function isNearlyUsedUp({ allowance, sizes }: UploadsAhead): boolean {
  const { files, bytes } = sizes.reduce(without, allowance);
  return [files, bytes].some(({ left, limit }) => left < limit / 5);
}
