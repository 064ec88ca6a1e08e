import { paymentTimes } from '../words/collective.ts';

export const PaymentTimes = () => (
  <dl className="payment-times">
    {paymentTimes.map(({ project, paid }) => (
      <div className="join-pair stack hairline" key={project}>
        <dt>{project}</dt>
        <dd>{paid}</dd>
      </div>
    ))}
  </dl>
);
