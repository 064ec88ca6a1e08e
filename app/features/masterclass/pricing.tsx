import type { ReactNode } from 'react';
import { href } from 'react-router';
import { useFacts } from '#context/use-facts.ts';
import { rupees } from '#lib/data/money.ts';
import { Section } from './section.tsx';
import { useCourseWords } from './use-course-words.ts';

export const Pricing = ({ ahead }: { ahead: boolean }) => {
  const { title, titleNext, standard, member, membersAre, less, terms, lastTime } = useCourseWords().pricing;
  const { standardFee, memberFee } = useFacts().masterclass;
  return (
    <Section alone name="pricing" title={ahead ? title : titleNext}>
      {ahead || <p className="stack course-text measure-52 lead across">{lastTime}</p>}
      <div className="course-prices grid gap-0 across">
        <Price name={standard} amount={standardFee} />
        <Price name={member} amount={memberFee} plate="on-machine">
          {memberFee < standardFee && <p>{less}</p>}
          <p>
            <a className="inherit" href={href('/join')}>
              {membersAre}
            </a>
          </p>
        </Price>
      </div>
      {ahead && (
        <ul className="course-terms stack gap-2 across">
          {terms.map((term) => (
            <li key={term}>{term}</li>
          ))}
        </ul>
      )}
    </Section>
  );
};

interface PriceProps {
  name: string;
  amount: number;
  plate?: string;
  children?: ReactNode;
}

const Price = ({ name, amount, plate = '', children }: PriceProps) => (
  <div className={`course-price pad-5 ${plate}`}>
    <h3 className="size-1">{name}</h3>
    <p className="course-amount condensed tight black amount">
      <span className="course-currency regular">₹</span>
      {rupees(amount)}
    </p>
    <p>{useCourseWords().pricing.perSeat}</p>
    {children}
  </div>
);
