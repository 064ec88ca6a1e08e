import { linesOf } from '#features/projects/model/versions/version-difference.ts';
import { type FieldSpec, type Fields, type PagePicture, sectionFields, type Values } from '#lib/fields/field.ts';

export function draftText(field: FieldSpec, draft: unknown): string {
  switch (field.kind) {
    case 'id':
      return '';
    case 'html':
      return linesOf(draft as string);
    case 'choice':
      return field.options[draft as string] ?? '';
    case 'picture': {
      const { path, alt } = draft as PagePicture;
      return path && `Picture “${alt || path.split('/').at(-1)}”`;
    }
    case 'record':
      return textsIn(field.fields, draft).join('\n');
    case 'list':
      return (draft as Values[]).map((entry) => textsIn(field.fields, entry).join(' · ')).join('\n');
    case 'sections':
      return (draft as Values[]).map((one) => textsIn(sectionFields(field, one), one).join('\n')).join('\n\n');
    default:
      return String(draft);
  }
}

const textsIn = (fields: Fields, drafts: unknown): string[] =>
  Object.entries(fields)
    .map(([name, field]) => draftText(field, (drafts as Values)[name]))
    .filter(Boolean);
