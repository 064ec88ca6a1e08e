import { headersFor, type UploadPlace } from './upload.ts';

type Quota = { limit: number; left: number };

/** `resetsAt`: when the full quota is available again, in ms since 1970; null while it is unused. */
export type Allowance = { files: Quota; bytes: Quota; resetsAt: number | null };

export type AllowanceAnswer = Allowance | 'none' | 'unreachable';

export async function readAllowance(place: UploadPlace): Promise<AllowanceAnswer> {
  try {
    const headers = await headersFor(place);
    const answer = await fetch(`${place.url}/storage/v1/upload/allowance`, { headers, cache: 'no-store' });
    if (!answer.ok) return answer.status < 500 ? 'none' : 'unreachable';
    const body = (await answer.json()) as (Omit<Allowance, 'resetsAt'> & { seconds: number }) | null;
    if (!body) return 'none';
    const { files, bytes, seconds } = body;
    return { files, bytes, resetsAt: seconds > 0 ? Date.now() + seconds * 1000 : null };
  } catch {
    return 'unreachable';
  }
}

export const hasRoom = ({ files, bytes }: Allowance, size: number): boolean => files.left > 0 && bytes.left >= size;

export const subtractFile = ({ files, bytes, resetsAt }: Allowance, size: number): Allowance => ({
  files: { ...files, left: Math.max(0, files.left - 1) },
  bytes: { ...bytes, left: Math.max(0, bytes.left - size) },
  resetsAt,
});

/** `isPaused`: the next file exceeds the quota and is uploaded automatically later. */
export type UploadsAhead = { allowance: Allowance; sizes: readonly number[]; isPaused: boolean };

export function withoutRoom({ allowance, sizes }: UploadsAhead): number {
  let remaining = allowance;
  const fits = sizes.findIndex((size) => {
    if (!hasRoom(remaining, size)) return true;
    remaining = subtractFile(remaining, size);
    return false;
  });
  return fits === -1 ? 0 : sizes.length - fits;
}

export function isNearlyUsedUp({ allowance, sizes }: UploadsAhead): boolean {
  const { files, bytes } = sizes.reduce(subtractFile, allowance);
  return [files, bytes].some(({ left, limit }) => left < limit / 5);
}
