import { type ComputedSheet, inMoney } from './model/sheet.ts';
import { splitSheet as words } from './words/split-sheet.ts';
import { cutNames } from './words/terms.ts';

export const PlanResult = ({
  result,
  missing,
  unallocatedTo,
}: {
  result: ComputedSheet | null;
  missing: { place: string; problem: string }[];
  unallocatedTo: string;
}) => (
  <section className="split-result panel pad-5" aria-labelledby="split-result">
    <h2 id="split-result">Result</h2>
    {result ? (
      <ul className="split-lines">
        {result.statements.map(({ name, amount: whole, shares }) => (
          <li className="inline stretch apart pad-y-2 hairline-below" key={`${name} ${shares[0]?.cut}`}>
            <span className="anywhere shrink">
              <strong>{name}</strong>
              <span className="row-meta">{shares.map((share) => share.words).join('; ')}</span>
            </span>
            <span className="amount">{inMoney(whole, result.currency)}</span>
          </li>
        ))}
        {result.pools.map(({ cut, amount: whole }) => (
          <li
            className="inline stretch apart pad-y-2 hairline-below"
            key={cut}
            data-open={cut === 'unallocated' || undefined}
          >
            <span className="anywhere shrink">
              {cutNames[cut]}
              {cut === 'unallocated' && unallocatedTo && <span className="row-meta">{unallocatedTo}</span>}
            </span>
            <span className="amount">{inMoney(whole, result.currency)}</span>
          </li>
        ))}
        <li className="inline stretch apart pad-y-2 rule">
          <strong>{words.total}</strong>
          <strong className="amount">{inMoney(result.amount, result.currency)}</strong>
        </li>
      </ul>
    ) : (
      <>
        <p>The amounts show when this is filled in:</p>
        <ul className="stack gap-2 above-3">
          {missing.map(({ place, problem }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two lines of one share may lack the same
            <li key={at}>
              <strong>{place}</strong>: {problem}
            </li>
          ))}
        </ul>
      </>
    )}
  </section>
);
