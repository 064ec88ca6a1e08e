/** What a machine's clock may differ from the database's before that one counts; an answer on its way takes as long. */
const NEGLIGIBLE_MS = 1_000;

let aheadMs = 0;

/**
 * The time of the house, milliseconds since 1970: that of its database, however the clock of this machine is set. What
 * machines have to agree on goes by it, as the end of a token does.
 */
export const houseTime = (): number => Date.now() - aheadMs;

/** How much this machine's clock is ahead of the database's, milliseconds; negative behind it, 0 when hardly. */
export const clockAheadMs = (): number => aheadMs;

/**
 * Takes over the time that the database tells.
 * @param told milliseconds since 1970
 * @param asked when it was asked, by this machine's clock
 */
export function setHouseTime(told: number, asked: number): void {
  const answered = Date.now();
  const ahead = (asked + answered) / 2 - told;
  if (Math.abs(ahead - aheadMs) > NEGLIGIBLE_MS + (answered - asked))
    aheadMs = Math.abs(ahead) > NEGLIGIBLE_MS ? Math.round(ahead) : 0;
}
