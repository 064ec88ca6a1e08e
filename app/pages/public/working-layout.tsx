import { useEffect } from 'react';
import { Outlet } from 'react-router';
import { watchScroll } from '../../ui/scroll.ts';
import { Frame } from './frame.tsx';

/** Pages to work on, in the same frame: hydrated, so that forms and editors come alive. */
export default function WorkingLayout() {
  useEffect(watchScroll, []);
  return (
    <Frame>
      <Outlet />
    </Frame>
  );
}
