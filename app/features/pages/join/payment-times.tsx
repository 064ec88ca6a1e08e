import { paymentTimes } from '../words/collective.ts';

export const PaymentTimes = () => (
  <dl className="payment-times">
    {paymentTimes.map(({ project, paid }) => (
      <div className="join-pair pad-y-3 stack hairline" key={project}>
        <dt>{project}</dt>
        <dd>{paid}</dd>
      </div>
    ))}
  </dl>
);
