import { useLocation, useNavigate, useNavigation, useSearchParams } from 'react-router';

/**
 * What a list is asked for, as it stands in the address, and how to ask for something else. A change starts from the
 * address that is on its way, if one is: the next filter may be pressed while the last one is being fetched.
 *
 * @param from reads the question from an address
 * @param addressOf the address of a question, beginning with `?`
 */
export function useQuestion<Question>(
  from: (address: URLSearchParams) => Question,
  addressOf: (question: Question) => string,
) {
  const [address] = useSearchParams();
  const { pathname } = useLocation();
  const underway = useNavigation().location;
  const navigate = useNavigate();
  const question = from(address);
  const latest = underway?.pathname === pathname ? from(new URLSearchParams(underway.search)) : question;
  return {
    question,
    /** Typing replaces the address instead of adding to the history, letter by letter. */
    ask: (change: Partial<Question>, options?: { replace: boolean }) =>
      void navigate(addressOf({ ...latest, ...change }), { preventScrollReset: true, ...options }),
  };
}
