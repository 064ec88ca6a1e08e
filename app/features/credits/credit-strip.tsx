import type { CSSProperties } from 'react';
import { creditWords as words } from '#lib/words/credits.ts';
import type { Shares } from './model/credits.ts';
import './credit-strip.css';

/** Human work from the left and machine work from the right, overlapping. `ShareWords` has the text. */
export const CreditStrip = ({ shares: { hand, together } }: { shares: Shares }) => (
  <span
    className="credit-strip block layer full"
    aria-hidden="true"
    style={{ '--by-hand': hand + together / 2, '--by-machine': 100 - hand + together / 2 } as CSSProperties}
  />
);

export const CreditShares = ({ shares }: { shares: Shares }) => (
  <>
    <CreditStrip shares={shares} />
    <p className="slip">
      <ShareWords shares={shares} />
    </p>
  </>
);

export const ShareWords = ({ shares: { hand } }: { shares: Shares }) => (
  <>
    {words.share(hand)}
    <span className="hidden-text"> percent</span>
  </>
);
