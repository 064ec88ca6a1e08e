import { creditWords as words } from '../../../copy/credits.ts';
import type { Experiment } from '../../../models/portfolio/experiment.ts';
import { CreditList } from '../../../ui/credits/credit-list.tsx';
import { CreditStrip, ShareWords } from '../../../ui/credits/credit-strip.tsx';
import './credits.css';

/** Who made what: the strip with its numbers, and unfolded each part with its people and tools. */
export const Credits = ({ experiment: { credits, shares } }: { experiment: Experiment }) =>
  shares && (
    <details className="credits">
      <summary>
        <CreditStrip shares={shares} />
        <span className="cluster apart credits-line slip">
          <ShareWords shares={shares} />
          <span className="credits-title">{words.title}</span>
        </span>
      </summary>
      <CreditList credits={credits} />
    </details>
  );
