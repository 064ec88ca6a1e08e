import { useState } from 'react';
import { messages } from '#lib/words/messages.ts';
import { SmallButton } from './form/button.tsx';
import './copy-button.css';

const MESSAGE_MS = 4000;

/** Without clipboard access the text is shown to be copied by hand. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [said, setSaid] = useState('');
  async function copy() {
    const hasCopied = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    );
    setSaid(hasCopied ? messages.copied : messages.notCopied);
    setTimeout(() => setSaid(''), MESSAGE_MS);
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
