import type { ComponentProps } from 'react';
import { categories } from '#lib/words/categories.ts';
import { SelectField } from './field.tsx';

const OPTIONS = Object.fromEntries([['', 'None'], ...categories.map(({ value, label }) => [value, label])]);

export const CategoryField = (select: Omit<ComponentProps<typeof SelectField>, 'label' | 'children'>) => (
  <SelectField name="category" {...select} label="Category" options={OPTIONS} />
);
