import { type KeyboardEvent, useState } from 'react';
import { LONGEST_ADDRESS, lengthOf } from '#lib/data/limits.ts';
import { mediaWords as words } from '#lib/words/media.ts';

/** Address field that Enter accepts without submitting the form. @param onTake returns false to keep the input */
export function useAddressField(
  onTake: (url: string) => unknown,
  problemOf: (url: string) => string | null = () => null,
) {
  const [value, setValue] = useState('');
  const [error, setError] = useState<string | null>(null);
  const url = value.trim();

  function change(typed: string) {
    setValue(typed);
    setError(null);
  }
  function take() {
    if (url === '' || lengthOf(url) > LONGEST_ADDRESS) return;
    const isWeb = /^https?:$/.test(URL.parse(url)?.protocol ?? '');
    const problem = isWeb ? problemOf(url) : words.oddAddress;
    if (problem) return setError(problem);
    if (onTake(url) !== false) setValue('');
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    event.preventDefault();
    take();
  }
  return {
    take,
    change,
    isEmpty: url === '',
    field: {
      type: 'url',
      inputMode: 'url',
      limit: LONGEST_ADDRESS,
      autoComplete: 'off',
      placeholder: 'https://',
      value,
      error,
      onKeyDown,
      onChange: ({ target }: { target: HTMLInputElement }) => change(target.value),
    } as const,
  };
}
