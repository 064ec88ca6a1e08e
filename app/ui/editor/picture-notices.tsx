import type { Editor } from '@tiptap/core';
import { MAX_INLINE_PICTURE } from '../../../media-address.ts';
import { SmallButton } from '../form/button.tsx';
import type { Pasted } from './pasted-html.ts';

export interface PictureNotice {
  text: string;
  action?: { label: string; run: () => void } | undefined;
  close?: string;
}

export const PictureNotices = ({
  notices,
  onClose,
}: {
  notices: readonly PictureNotice[];
  onClose: (notice: PictureNotice) => void;
}) =>
  notices.map((notice) => (
    <div key={notice.text} className="editor-notice paper cluster shrink hairline" role="status">
      <p>{notice.text}</p>
      {notice.action && (
        <SmallButton
          onClick={() => {
            notice.action?.run();
            onClose(notice);
          }}
        >
          {notice.action.label}
        </SmallButton>
      )}
      <SmallButton variant="quiet" onClick={() => onClose(notice)}>
        {notice.close ?? 'Close'}
      </SmallButton>
    </div>
  ));

export const tooLarge = (file: File, onLargePicture: ((file: File) => void) | undefined): PictureNotice => ({
  text: `${file.name || 'The picture'} is ${Math.ceil(file.size / 1024)} KB. Inside a text a picture may have ${MAX_INLINE_PICTURE / 1024} KB at most.`,
  action: onLargePicture && { label: 'Add it to the media instead', run: () => onLargePicture(file) },
  close: 'Leave it out',
});

export const rejectedNotice = ({ name }: File): PictureNotice => ({
  text: `${name || 'The file'} was left out: a text holds PNG, GIF, JPEG, BMP and icon pictures.`,
});

export function pasted(editor: Editor, { unreachable, elsewhere }: Pasted): PictureNotice[] {
  const notices: PictureNotice[] = [];
  const isOne = elsewhere.length === 1;
  if (unreachable > 0)
    notices.push({
      text:
        unreachable === 1
          ? '1 picture was left out: pasting brings only the text along. Upload it under Media instead.'
          : `${unreachable} pictures were left out: pasting brings only the text along. Upload them under Media instead.`,
    });
  if (elsewhere.length > 0)
    notices.push({
      text: `${isOne ? '1 picture stays on another site' : `${elsewhere.length} pictures stay on other sites`}, and will be missing here when it is gone there. Upload a copy under Media instead.`,
      action: { label: isOne ? 'Take it out' : 'Take them out', run: () => removePictures(editor, elsewhere) },
      close: isOne ? 'Keep it' : 'Keep them',
    });
  return notices;
}

function removePictures(editor: Editor, addresses: readonly string[]): void {
  const { tr, doc } = editor.state;
  doc.descendants((node, position) => {
    if (node.type.name === 'image' && addresses.includes(String(node.attrs['src'])))
      tr.delete(tr.mapping.map(position), tr.mapping.map(position + node.nodeSize));
  });
  editor.view.dispatch(tr);
  editor.commands.focus();
}
