import { CreditList } from '#features/credits/credit-list.tsx';
import { CreditStrip, ShareWords } from '#features/credits/credit-strip.tsx';
import type { Project } from '#features/projects/model/read.ts';
import { creditWords as words } from '#lib/words/credits.ts';

export const ExperimentCredits = ({ experiment: { credits, shares } }: { experiment: Project }) =>
  shares && (
    <details className="credits gap-above">
      <summary>
        <CreditStrip shares={shares} />
        <span className="cluster apart credits-line slip">
          <ShareWords shares={shares} />
          <span className="credits-title underlined inline gap-2">{words.title}</span>
        </span>
      </summary>
      <CreditList credits={credits} />
    </details>
  );
