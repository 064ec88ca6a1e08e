import { isCategory } from '../../../copy/categories.ts';
import type { ProjectFields } from '../../../models/project/form.ts';
import type { MediaType } from '../../../models/project/upload.ts';
import { paragraphsOf } from '../../../ui/editor/plain-text.ts';
import { altIn } from '../../../ui/media/media-fields.tsx';
import type { NextMedia } from './media-to-add.tsx';

const textIn = (form: FormData, name: string) => String(form.get(name) ?? '');

/** The fields of a project as they stand in the form, before an editor has taken the place of a plain text. */
export function projectIn(form: FormData): Omit<ProjectFields, 'tags' | 'credits'> {
  const text = (name: string) => textIn(form, name);
  const category = text('category');
  return {
    title: text('title'),
    client: text('client'),
    status: text('status'),
    budget: text('budget'),
    showBudget: form.has('showBudget'),
    startDate: text('startDate'),
    endDate: text('endDate'),
    category: isCategory(category) ? category : '',
    description: paragraphsOf(text('description')),
    understanding: paragraphsOf(text('understanding')),
    actions: paragraphsOf(text('actions')),
    impact: paragraphsOf(text('impact')),
  };
}

/** The media item that is being typed. */
export const mediaIn = (form: FormData): NextMedia => ({
  type: textIn(form, 'mediaType') as MediaType,
  url: textIn(form, 'mediaUrl'),
  title: textIn(form, 'mediaTitle'),
  alt: altIn(form, 'mediaAlt'),
});
