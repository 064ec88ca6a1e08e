import { useNavigate, useSearchParams } from 'react-router';

/**
 * What a list is asked for, as it stands in the address, and how to ask for something else.
 *
 * @param from reads the question from an address
 * @param addressOf the address of a question, beginning with `?`
 */
export function useListParams<Question>(
  from: (address: URLSearchParams) => Question,
  addressOf: (question: Question) => string,
) {
  const [address] = useSearchParams();
  const navigate = useNavigate();
  return {
    question: from(address),
    /**
     * Changes a part. It starts from the address bar, which a press just before may have changed without being drawn yet.
     * Typing replaces the address instead of adding to the history, letter by letter.
     */
    ask: (change: Partial<Question>, options?: { replace: boolean }) =>
      void navigate(addressOf({ ...from(new URLSearchParams(window.location.search)), ...change }), {
        preventScrollReset: true,
        ...options,
      }),
  };
}
