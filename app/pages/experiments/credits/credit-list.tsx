import { type Credit, creditLine } from '../../../models/credits/credits.ts';
import './credit-list.css';

export const CreditList = ({ credits }: { credits: readonly Credit[] }) => (
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
