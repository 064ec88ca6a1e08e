import { collective } from '../words/collective.ts';

/** Counts with CSS only; nothing is stored or sent. */
export const VibeCheck = () => {
  const { legend, list, verdicts, unsent } = collective.vibe;
  return (
    <>
      <fieldset className="vibe stack">
        <legend className="slip quiet">{legend}</legend>
        {list.flatMap((line, at) => [
          <input className="plates" type="checkbox" id={`vibe-${at + 1}`} key={`${line} box`} />,
          <label className="size-1 inked" htmlFor={`vibe-${at + 1}`} key={line}>
            {line}
          </label>,
        ])}
        <p className="vibe-verdict lead-close semibold across gap-above">
          <span className="vibe-three">{verdicts.three}</span> <span className="vibe-all">{verdicts.all}</span>
        </p>
      </fieldset>
      <p className="quiet small">{unsent}</p>
    </>
  );
};
