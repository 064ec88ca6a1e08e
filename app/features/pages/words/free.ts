import { definePage, line, link, list, text } from '#lib/fields/page-field.ts';

const picture = { kind: 'picture', label: 'Picture' } as const;
const caption = { ...line('Caption (optional)', 200), optional: true } as const;
const title = { ...line('Title (optional)'), optional: true } as const;

export const freePage = definePage('free', 'Page', {
  description: {
    ...text('Description (optional)', 300, 'Under the title in search results and link previews.'),
    optional: true,
    words: '',
  },
  lead: { ...text('Lead (optional)', 400), optional: true, words: '' },
  sections: {
    kind: 'sections',
    label: 'Sections',
    most: 40,
    words: [],
    kinds: {
      text: { label: 'Text', fields: { title, html: { kind: 'html', label: 'Text', limit: 60_000 } } },
      picture: { label: 'Picture', fields: { picture, caption } },
      gallery: {
        label: 'Gallery',
        fields: { title, pictures: list('Pictures', ['picture', 'pictures'], { picture, caption }, [1, 24]) },
      },
      call: {
        label: 'Call to action',
        fields: {
          title,
          text: { ...text('Text (optional)', 300), optional: true },
          label: line('Button', 24),
          href: link('Target'),
        },
      },
    },
  },
});
