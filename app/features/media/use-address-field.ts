import { type KeyboardEvent, useState } from 'react';
import { lengthOf, MAX_ADDRESS_LENGTH } from '#lib/data/limits.ts';

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
  function acceptAddress() {
    if (url === '') return true;
    // Normalised, because the database refuses spaces and user names in addresses.
    const address = URL.parse(url)?.href ?? '';
    if (lengthOf(address) > MAX_ADDRESS_LENGTH) return false;
    const isWeb = /^https?:\/\/[^/@]+\//.test(address);
    const problem = isWeb ? problemOf(address) : 'An address starts with https:// or http://.';
    setError(problem);
    if (problem || onTake(address) === false) return false;
    setValue('');
    return true;
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    event.preventDefault();
    acceptAddress();
  }
  return {
    take: acceptAddress,
    change,
    isEmpty: url === '',
    field: {
      type: 'url',
      inputMode: 'url',
      limit: MAX_ADDRESS_LENGTH,
      autoComplete: 'off',
      placeholder: 'https://',
      value,
      error,
      onKeyDown,
      onChange: ({ target }: { target: HTMLInputElement }) => change(target.value),
    } as const,
  };
}
