/** Clock differences below this are ignored; the round trip takes as long. */
const NEGLIGIBLE_MS = 1_000;

let aheadMs = 0;

/** Database time in milliseconds since 1970, shared by all servers, for example for token expiry. */
export const databaseTime = (): number => Date.now() - aheadMs;

/** How far this machine's clock is ahead of the database's; negative when behind, 0 when negligible. */
export const clockAheadMs = (): number => aheadMs;

/** Sets the offset from a reading of the database clock and the time it was requested, both in milliseconds since 1970. */
export function setDatabaseTime(readingMs: number, requestedAtMs: number): void {
  const receivedAtMs = Date.now();
  const offsetMs = (requestedAtMs + receivedAtMs) / 2 - readingMs;
  if (Math.abs(offsetMs - aheadMs) > NEGLIGIBLE_MS + (receivedAtMs - requestedAtMs))
    aheadMs = Math.abs(offsetMs) > NEGLIGIBLE_MS ? Math.round(offsetMs) : 0;
}
