import { creditWords as words } from '../../copy/credits.ts';
import { creditLine } from '../../models/credits.ts';
import type { Experiment } from '../../models/experiment.ts';
import { CreditStrip, ShareWords } from '../../ui/credit-strip.tsx';
import './credits.css';

/** Who made what: the strip with its numbers, and unfolded each part with its people and tools. */
export const Credits = ({ experiment: { credits, shares } }: { experiment: Experiment }) =>
  shares && (
    <details className="credits">
      <summary>
        <CreditStrip shares={shares} />
        <span className="credits-line slip">
          <ShareWords shares={shares} />
          <span className="credits-title">{words.title}</span>
        </span>
      </summary>
      <CreditList credits={credits} />
    </details>
  );

/** Each part of the work: how it was made, by whom and with what. */
export const CreditList = ({ credits }: Pick<Experiment, 'credits'>) => (
  <dl className="credit-list">
    {credits.map((credit, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: two parts may be called the same
      <div key={at} data-made={credit.made}>
        <dt>{credit.part}</dt>
        <dd>{creditLine(credit)}</dd>
      </div>
    ))}
  </dl>
);
