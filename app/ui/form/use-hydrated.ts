import { useSyncExternalStore } from 'react';

const never = () => () => {};

/** Before hydration clicks have no effect, so buttons should be disabled. */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
