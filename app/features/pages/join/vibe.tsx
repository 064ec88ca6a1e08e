import { collective } from '../words/collective.ts';
import './vibe.css';

/** Counts with CSS only; nothing is stored or sent. */
export const VibeCheck = () => {
  const { legend, list, verdicts, unsent } = collective.vibe;
  return (
    <>
      <fieldset className="vibe">
        <legend className="slip">{legend}</legend>
        {list.flatMap((line, at) => [
          <input type="checkbox" id={`vibe-${at + 1}`} key={`${line} box`} />,
          <label htmlFor={`vibe-${at + 1}`} key={line}>
            {line}
          </label>,
        ])}
        <p className="vibe-verdict">
          <span className="vibe-three">{verdicts.three}</span> <span className="vibe-all">{verdicts.all}</span>
        </p>
      </fieldset>
      <p className="vibe-unsent">{unsent}</p>
    </>
  );
};
