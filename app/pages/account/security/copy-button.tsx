import { useState } from 'react';
import { accountPage as words } from '../../../copy/account-page.ts';
import { Button } from '../../../ui/button.tsx';

const SAID_FOR_MS = 4000;

/** Copies a text. Where the browser does not let us, the text is there to be marked by hand. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [said, setSaid] = useState('');
  async function copy() {
    const went = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    );
    setSaid(went ? words.codesCopied : words.codesNotCopied);
    setTimeout(() => setSaid(''), SAID_FOR_MS);
  }
  return (
    <>
      <Button variant="secondary" size="admin" onClick={() => void copy()}>
        {label}
      </Button>
      <span className="account-said" role="status">
        {said}
      </span>
    </>
  );
}
