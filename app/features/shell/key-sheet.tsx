import { Fragment, useState } from 'react';
import { commandKeys, keySheet, shell } from '#lib/words/shell.ts';
import { Button } from '#ui/form/button.tsx';
import { SideSheet } from './sheet.tsx';
import { singleKeysOn, switchSingleKeys } from './single-keys.ts';

export const KeySheet = ({ open, onClose }: { open: boolean; onClose: () => void }) => (
  <SideSheet open={open} label={shell.keysTitle} onClose={onClose}>
    <Keys onClose={onClose} />
  </SideSheet>
);

function Keys({ onClose }: { onClose: () => void }) {
  const [on, setOn] = useState(singleKeysOn);
  return (
    <>
      <h2 className="dialog-title">{shell.keysTitle}</h2>
      <p className="gap-above">{shell.keysIntro}</p>
      <dl className="key-list hairline">
        {[commandKeys, ...(on ? keySheet : [])].map(({ keys, does }) => (
          <div className="stack baseline gap-3" key={does}>
            <dt>
              {keys.map((key, index) => (
                <Fragment key={key}>
                  {index > 0 && ' or '}
                  <kbd className="framed one-line">{key}</kbd>
                </Fragment>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <label className="key-switch check">
        <input
          type="checkbox"
          checked={on}
          onChange={(event) => {
            switchSingleKeys(event.target.checked);
            setOn(event.target.checked);
          }}
        />
        {shell.keysSwitch}
      </label>
      <div className="dialog-actions">
        <Button variant="secondary" size="admin" onClick={onClose}>
          {shell.close}
        </Button>
      </div>
    </>
  );
}
