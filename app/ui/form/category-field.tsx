import type { ComponentProps } from 'react';
import { categories } from '#lib/words/categories.ts';
import { SelectField } from './field.tsx';

export const CategoryField = (select: Omit<ComponentProps<typeof SelectField>, 'label' | 'children'>) => (
  <SelectField name="category" {...select} label="Category">
    <option value="">None</option>
    {categories.map(({ value, label }) => (
      <option key={value} value={value}>
        {label}
      </option>
    ))}
  </SelectField>
);
