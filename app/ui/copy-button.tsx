import { type ReactNode, useId, useState } from 'react';
import { SmallButton } from './form/button.tsx';
import './copy-button.css';

/** Without clipboard access the text is shown to be copied by hand. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [said, setSaid] = useState('');
  async function copy() {
    const hasCopied = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    );
    setSaid(hasCopied ? 'Copied.' : 'Your browser blocked copying. Select the text and copy it yourself.');
    setTimeout(() => setSaid(''), 4000);
  }
  return (
    <>
      <SmallButton onClick={() => void copy()}>{label}</SmallButton>
      <span className="copy-said regular quiet" role="status">
        {said}
      </span>
    </>
  );
}

export function CopyOnce({ text, label, children }: { text: string; label: string; children: ReactNode }) {
  const id = useId();
  return (
    <div className="stack gap-2 panel pad-4" role="status">
      <label htmlFor={id}>{children}</label>
      <div className="cluster stretch">
        <input
          id={id}
          className="field-input paper shrink basis-12"
          readOnly
          value={text}
          onFocus={({ target }) => target.select()}
        />
        <CopyButton text={text} label={label} />
      </div>
    </div>
  );
}
