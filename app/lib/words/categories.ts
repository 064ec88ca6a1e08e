export const categories = [
  { value: 'branding', label: 'Branding' },
  { value: 'video', label: 'Video Production' },
  { value: 'ai', label: 'AI Solutions' },
  { value: 'social', label: 'Social Media' },
  { value: 'strategy', label: 'Strategy & Consulting' },
  { value: 'other', label: 'Other' },
] as const;

export type Category = (typeof categories)[number]['value'];

export const listedCategories = categories.filter(({ value }) => value !== 'other');

export const isCategory = (value: unknown): value is Category => categories.some((known) => known.value === value);

export const categoryLabel = (value: string | null | undefined): string | null =>
  categories.find((known) => known.value === value)?.label ?? null;
