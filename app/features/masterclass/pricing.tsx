import type { ReactNode } from 'react';
import { href } from 'react-router';
import { useFacts } from '#context/use-facts.ts';
import { rupees } from '#lib/data/money.ts';
import { Section } from './section.tsx';
import { masterclassWords as words } from './words/page.ts';
import './pricing.css';

export const Pricing = ({ ahead }: { ahead: boolean }) => {
  const { title, titleNext, standard, member, membersAre, less, terms, lastTime } = words.pricing;
  const { standardFee, memberFee } = useFacts().masterclass;
  return (
    <Section name="pricing" title={ahead ? title : titleNext}>
      {ahead || <p className="stack course-text">{lastTime}</p>}
      <div className="course-prices">
        <Price name={standard} amount={standardFee} />
        <Price name={member} amount={memberFee}>
          {memberFee < standardFee && <p>{less(rupees(standardFee - memberFee))}</p>}
          <p>
            <a href={href('/join')}>{membersAre}</a>
          </p>
        </Price>
      </div>
      {ahead && (
        <ul className="course-terms">
          {terms.map((term) => (
            <li key={term}>{term}</li>
          ))}
        </ul>
      )}
    </Section>
  );
};

const Price = ({ name, amount, children }: { name: string; amount: number; children?: ReactNode }) => (
  <div className="course-price">
    <h3 className="course-price-name">{name}</h3>
    <p className="course-amount amount">
      <span className="course-currency">₹</span>
      {rupees(amount)}
    </p>
    <p>{words.pricing.perSeat}</p>
    {children}
  </div>
);
