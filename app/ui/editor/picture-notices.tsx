import type { Editor } from '@tiptap/core';
import type { ReactNode } from 'react';
import { MAX_INLINE_PICTURE } from '../../../media-address.ts';
import { Button } from '../form/button.tsx';
import type { Pasted } from './pasted-html.ts';

export interface PictureNews {
  tooLarge?: File;
  refused?: string;
  pasted?: Pasted;
}

export function PictureNotices({
  editor,
  notices: { tooLarge, refused, pasted },
  onNotices,
  onLargePicture,
}: {
  editor: Editor;
  notices: PictureNews;
  onNotices: (change: (known: PictureNews) => PictureNews) => void;
  onLargePicture: ((file: File) => void) | undefined;
}) {
  const drop = (answered: keyof PictureNews) => onNotices(({ [answered]: _, ...rest }) => rest);
  const close = (answered: keyof PictureNews, label = 'Close') => (
    <Button size="admin" variant="quiet" onClick={() => drop(answered)}>
      {label}
    </Button>
  );
  const { unreachable = 0, elsewhere = [] } = pasted ?? {};
  return (
    <>
      {tooLarge && (
        <Notice>
          <p>
            {tooLarge.name || 'The picture'} is {Math.ceil(tooLarge.size / 1024)} KB. Inside a text a picture may have{' '}
            {MAX_INLINE_PICTURE / 1024} KB at most.
          </p>
          {onLargePicture && (
            <Button
              size="admin"
              variant="secondary"
              onClick={() => {
                onLargePicture(tooLarge);
                drop('tooLarge');
              }}
            >
              Add it to the media instead
            </Button>
          )}
          {close('tooLarge', 'Leave it out')}
        </Notice>
      )}
      {refused !== undefined && (
        <Notice>
          <p>{refused || 'The file'} was left out: a text holds PNG, GIF, JPEG, BMP and icon pictures.</p>
          {close('refused')}
        </Notice>
      )}
      {unreachable > 0 && (
        <Notice>
          <p>
            {unreachable === 1 ? '1 picture was left out' : `${unreachable} pictures were left out`}: pasting brings
            only the text along. Upload {unreachable === 1 ? 'it' : 'them'} under Media instead.
          </p>
          {elsewhere.length === 0 && close('pasted')}
        </Notice>
      )}
      {elsewhere.length > 0 && (
        <Notice>
          <p>
            {elsewhere.length === 1
              ? '1 picture stays on another site'
              : `${elsewhere.length} pictures stay on other sites`}
            , and will be missing here when it is gone there. Upload a copy under Media instead.
          </p>
          <Button
            size="admin"
            variant="secondary"
            onClick={() => {
              takeOut(editor, elsewhere);
              drop('pasted');
            }}
          >
            {elsewhere.length === 1 ? 'Take it out' : 'Take them out'}
          </Button>
          {close('pasted', elsewhere.length === 1 ? 'Keep it' : 'Keep them')}
        </Notice>
      )}
    </>
  );
}

const Notice = ({ children }: { children: ReactNode }) => (
  <div className="editor-notice paper cluster shrink hairline" role="status">
    {children}
  </div>
);

function takeOut(editor: Editor, addresses: readonly string[]): void {
  const { tr, doc } = editor.state;
  doc.descendants((node, position) => {
    if (node.type.name === 'image' && addresses.includes(String(node.attrs['src'])))
      tr.delete(tr.mapping.map(position), tr.mapping.map(position + node.nodeSize));
  });
  editor.view.dispatch(tr);
  editor.commands.focus();
}
