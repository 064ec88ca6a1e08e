import { collective, shares, unallocated } from '../../../copy/collective.ts';
import './split.css';

const whole = [...shares, { ...unallocated, plate: 'empty' }];

const percentOf = (share: { percent: number; least?: number }) =>
  share.least === undefined ? `${share.percent}%` : `${share.least}–${share.percent}%`;

/** The shares of a project as a bar, and in words under it. What the terms leave over is a line of its own. */
export const Split = () => (
  <div className="split">
    <div className="split-bar" aria-hidden="true">
      {whole.map((share) => (
        <span className={`split-part plate-${share.plate}`} style={{ flexGrow: share.percent }} key={share.name}>
          {share.percent > 5 && share.percent}
        </span>
      ))}
    </div>
    <table className="split-table">
      <caption className="hidden-text">{collective.pay.caption}</caption>
      <thead className="hidden-text">
        <tr>
          <th scope="col">Share</th>
          <th scope="col">Part of the profit</th>
          <th scope="col">Who gets it</th>
        </tr>
      </thead>
      <tbody>
        {whole.map((share) => (
          <tr key={share.name}>
            <th scope="row">
              <span className={`split-swatch plate-${share.plate}`} aria-hidden="true" />
              {share.name}
            </th>
            <td className="amount">{percentOf(share)}</td>
            <td>{share.to}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
