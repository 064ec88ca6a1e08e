import { useSyncExternalStore } from 'react';

const never = () => () => {};

/** Whether the page has come to life. Until then a press on a button does nothing, so it should not look as if it did. */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
