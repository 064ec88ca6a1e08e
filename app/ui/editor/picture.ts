import Image from '@tiptap/extension-image';
import { Plugin } from '@tiptap/pm/state';
import { MAX_INLINE_PICTURE, pictureAddress } from '../../../media-address.ts';

const PICTURE_TYPES = ['image/png', 'image/gif', 'image/jpeg', 'image/bmp', 'image/x-icon', 'image/vnd.microsoft.icon'];

export type PictureEvents = { onTooLarge: (file: File) => void; onRefused: (file: File) => void };

export const PictureNode = Image.extend<PictureEvents & { inline: boolean }>({
  addAttributes: () => ({
    src: {
      default: '',
      parseHTML: (element) => pictureAddress(element.getAttribute('src') ?? ''),
      renderHTML: ({ src }) => ({ src: pictureAddress(String(src ?? '')) }),
    },
    alt: { default: '' },
    title: { default: null },
  }),

  parseHTML: () => [{ tag: 'img' }],
  addNodeView: () => null,
  addInputRules: () => [],

  addProseMirrorPlugins() {
    const insert = async (files: File[], at?: number) => {
      const pictures: { type: string; attrs: { src: string } }[] = [];
      for (const file of files) {
        if (!PICTURE_TYPES.includes(file.type)) this.options.onRefused(file);
        else if (file.size > MAX_INLINE_PICTURE) this.options.onTooLarge(file);
        else pictures.push({ type: this.name, attrs: { src: await dataAddress(file) } });
      }
      if (pictures.length > 0) this.editor.commands.insertContentAt(at ?? this.editor.state.selection.to, pictures);
    };
    return [
      new Plugin({
        props: {
          handlePaste: (_, { clipboardData }) => {
            const files = [...(clipboardData?.files ?? [])];
            // Prefers copied text with its picture over the picture alone.
            if (files.length === 0 || clipboardData?.types.includes('text/html')) return false;
            void insert(files);
            return true;
          },
          handleDrop: (view, { dataTransfer, clientX, clientY }, _, moved) => {
            const files = [...(dataTransfer?.files ?? [])];
            if (moved || files.length === 0) return false;
            void insert(files, view.posAtCoords({ left: clientX, top: clientY })?.pos);
            return true;
          },
        },
      }),
    ];
  },
});

const dataAddress = (file: File) =>
  new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    // Icons have two media types; the allow list has one.
    reader.onload = () =>
      resolve(String(reader.result).replace(/^data:image\/vnd\.microsoft\.icon/, 'data:image/x-icon'));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
