import { creditWords as words } from '../../../copy/credits.ts';
import type { Project } from '../../../models/project/read.ts';
import { CreditList } from '../credits/credit-list.tsx';
import { CreditStrip, ShareWords } from '../credits/credit-strip.tsx';
import './credits.css';

export const ExperimentCredits = ({ experiment: { credits, shares } }: { experiment: Project }) =>
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
