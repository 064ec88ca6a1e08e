import { creditLine, creditsIn, type StoredCredit } from '#features/credits/model/credits.ts';
import { dollarsAndCents } from '#lib/data/money.ts';
import { categoryLabel } from '#lib/words/categories.ts';
import { kindOf, type ProjectField, type StoredFields } from './fields.ts';

/** A stored value in words; null for nothing. */
export function valueText(field: ProjectField, value: StoredFields[ProjectField]): string | null {
  if (value === null) return null;
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'number') return dollarsAndCents(value);
  if (Array.isArray(value)) return value.map(itemText).join(', ') || null;
  if (typeof value === 'object') return Object.values(value).join(', ') || null;
  return (kindOf(field) === 'category' && categoryLabel(value)) || value;
}

const itemText = (item: string | StoredCredit): string =>
  typeof item === 'string' ? item : `${item.part} ${creditLine(creditsIn([item])[0]!)}`;
