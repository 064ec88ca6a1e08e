import type { ComponentProps } from 'react';
import { type Category, categories } from '../../copy/categories.ts';
import { SelectField } from './field.tsx';

/** What an experiment is filed under on the public list; '' for nothing. */
export const CategoryField = ({
  value,
  onChoose,
  ...field
}: Omit<ComponentProps<typeof SelectField>, 'label' | 'value' | 'onChange' | 'children'> & {
  value: Category | '';
  onChoose: (category: Category | '') => void;
}) => (
  <SelectField
    {...field}
    label="Category"
    value={value}
    onChange={({ target }) => onChoose(target.value as Category | '')}
  >
    <option value="">None</option>
    {categories.map(({ value: each, label }) => (
      <option key={each} value={each}>
        {label}
      </option>
    ))}
  </SelectField>
);
