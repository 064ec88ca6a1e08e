import { useEffect, useRef } from 'react';
import { useFacts } from '#context/use-facts.ts';
import { CopyButton } from '#ui/copy-button.tsx';
import { Banner } from '#ui/feedback/banner.tsx';
import { Button } from '#ui/form/button.tsx';
import { saveFile } from '#ui/save-file.ts';
import { accountPage as words } from '../../words.ts';

export function CodesSheet({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const { agency } = useFacts();
  const list = useRef<HTMLOListElement>(null);
  // Moves screen reader users to the codes.
  useEffect(() => list.current?.focus(), []);
  const text = [`Recovery codes, ${agency.name}, ${location.host}`, '', ...codes, ''].join('\n');

  return (
    <div className="codes-sheet">
      <Banner kind="warning">{words.codesOnce}</Banner>
      <p className="slip">
        {agency.name} · {location.host}
      </p>
      <ol className="codes-list" ref={list} tabIndex={-1} aria-label="Your recovery codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div className="button-row">
        <CopyButton text={text} label="Copy all" />
        <Button
          variant="secondary"
          size="admin"
          onClick={() => saveFile(new Blob([text], { type: 'text/plain' }), words.codesFile)}
        >
          Download
        </Button>
        <Button variant="secondary" size="admin" onClick={() => print()}>
          Print
        </Button>
      </div>
      <div className="button-row">
        <Button onClick={onDone}>I’ve saved them</Button>
      </div>
    </div>
  );
}
