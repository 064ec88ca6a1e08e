import { useNavigate, useSearchParams } from 'react-router';

export function useListParams<Question>(
  from: (address: URLSearchParams) => Question,
  addressOf: (question: Question) => string,
) {
  const [address] = useSearchParams();
  const navigate = useNavigate();
  return {
    question: from(address),
    /** Starts from the address bar, which a recent click may have changed without a render. */
    ask: (change: Partial<Question>, options?: { replace: boolean }) =>
      void navigate(addressOf({ ...from(new URLSearchParams(window.location.search)), ...change }), {
        preventScrollReset: true,
        ...options,
      }),
  };
}
