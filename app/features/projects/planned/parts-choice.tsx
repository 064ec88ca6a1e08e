import { href, Link } from 'react-router';
import { Banner } from '#ui/feedback/banner.tsx';
import { useStatus } from '#ui/feedback/status.tsx';
import { SmallButton } from '#ui/form/button.tsx';
import type { Choice } from '../model/conflict.ts';
import type { PartLists } from '../model/plans.ts';
import { nameOfField } from '../model/versions/versions.ts';
import { editing as words } from '../words.ts';

export const PartsChoice = ({
  later,
  isStaged,
  onChoose,
}: {
  later: boolean;
  isStaged: boolean;
  onChoose: (later: boolean) => void;
}) => (
  <fieldset className="gap-above" disabled={isStaged}>
    <legend className="bold">Readers see changes of media and team</legend>
    <div className="gap-0 gap-x-5 cluster">
      {[false, true].map((value) => (
        <label className="check" key={String(value)}>
          <input type="radio" name="parts" checked={later === value} onChange={() => onChoose(value)} />
          {value ? 'When published' : 'At once'}
        </label>
      ))}
    </div>
    {isStaged && <p className="field-hint">To change this, first publish or discard the changes saved for later.</p>}
  </fieldset>
);

export function PartConflict({
  id,
  part,
  resolve,
}: {
  id: string;
  part: keyof PartLists;
  resolve: (part: keyof PartLists, whose: Choice) => Promise<void>;
}) {
  const { say, report } = useStatus();
  const choose = (whose: Choice) => void report(resolve(part, whose), words.failedToSave, () => say(words.saved));
  return (
    <div className="gap-above">
      <Banner kind="warning">
        <p>{nameOfField(part)}: the site changed after these changes were saved for later.</p>
        <div className="button-row gap-above-small">
          <SmallButton onClick={() => choose('theirs')}>Keep theirs</SmallButton>
          <SmallButton onClick={() => choose('mine')}>Take mine</SmallButton>
          <Link to={href('/admin/projects/:id/revision', { id })}>Compare</Link>
        </div>
      </Banner>
    </div>
  );
}
