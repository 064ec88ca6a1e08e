import { useState } from 'react';
import { messages } from '#lib/words/messages.ts';
import { Button } from './form/button.tsx';
import './copy-button.css';

const SAID_FOR_MS = 4000;

/** Without clipboard access the text is shown to be copied by hand. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [said, setSaid] = useState('');
  async function copy() {
    const went = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    );
    setSaid(went ? messages.copied : messages.notCopied);
    setTimeout(() => setSaid(''), SAID_FOR_MS);
  }
  return (
    <>
      <Button variant="secondary" size="admin" onClick={() => void copy()}>
        {label}
      </Button>
      <span className="copy-said regular quiet" role="status">
        {said}
      </span>
    </>
  );
}
