import { Fragment, useState } from 'react';
import { commandKeys, keySheet } from '#lib/words/shell.ts';
import { Dialog } from '#ui/feedback/dialog.tsx';
import { singleKeysOn, switchSingleKeys } from './single-keys.ts';

export const KeySheet = ({ open, onClose }: { open: boolean; onClose: () => void }) => (
  <Dialog open={open} title="Keys" light closeLabel="Close" onCancel={onClose}>
    <Keys />
  </Dialog>
);

function Keys() {
  const [on, setOn] = useState(singleKeysOn);
  return (
    <>
      <p className="gap-above">They work in lists and never while you type in a field.</p>
      <dl className="key-list gap-above below-4 hairline">
        {[commandKeys, ...(on ? keySheet : [])].map(({ keys, does }) => (
          <div className="stack baseline gap-3 hairline-below" key={does}>
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
      <label className="check">
        <input
          type="checkbox"
          checked={on}
          onChange={(event) => {
            switchSingleKeys(event.target.checked);
            setOn(event.target.checked);
          }}
        />
        Use single keys on this device
      </label>
    </>
  );
}
