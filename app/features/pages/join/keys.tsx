import { collective, terms } from '../words/collective.ts';

export const Keys = () => (
  <div className="stack keys">
    <ul className="stack keys-rows" aria-hidden="true">
      {collective.how.keys.map(({ metal, count }) => (
        <li className="stack middle gap-3 hairline" key={metal}>
          <span className="keys-count">
            {count} {metal}
          </span>
          <span className="keys-drawn inline top">
            {Array.from({ length: count }, (_, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the same drawing so many times
              <Key key={at} />
            ))}
          </span>
        </li>
      ))}
    </ul>
    <p className="keys-worth">
      <strong className="size-1">{terms.keys}</strong> {terms.keysPerMember}
    </p>
  </div>
);

const KEY = 'M22 2a20 20 0 1 0 19 26h41v14h10V28h8v10h10V18H41A20 20 0 0 0 22 2zm0 12a8 8 0 1 1 0 16 8 8 0 0 1 0-16z';

const Key = () => (
  <svg className="key isolated shrink" viewBox="0 0 118 50" aria-hidden="true">
    <path className="plate-one" d={KEY} />
    <path className="plate-two" d={KEY} transform="translate(6 6)" />
  </svg>
);
