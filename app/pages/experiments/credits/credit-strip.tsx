import type { CSSProperties } from 'react';
import { creditWords as words } from '../../../copy/credits.ts';
import type { Shares } from '../../../models/credits/credits.ts';
import './credit-strip.css';

/**
 * The two inks of the house over each other: hand from the left, machine from the right, and where both made a part they
 * overlap. A drawing only: `ShareWords` stands beside it.
 */
export const CreditStrip = ({ shares: { hand, together } }: { shares: Shares }) => (
  <span
    className="credit-strip"
    aria-hidden="true"
    style={{ '--by-hand': hand + together / 2, '--by-machine': 100 - hand + together / 2 } as CSSProperties}
  />
);

/** `Hand 60 Machine 40` */
export const ShareWords = ({ shares: { hand } }: { shares: Shares }) => (
  <>
    {words.share(hand)}
    <span className="hidden-text"> {words.percent}</span>
  </>
);
