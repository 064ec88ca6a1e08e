import { Outlet } from 'react-router';
import type { PageHandle } from '../../root.tsx';
import { Frame } from './frame.tsx';

export const handle: PageHandle = { reading: true };

/** Pages to read: plain HTML, no framework in the browser. */
export default function PublicLayout() {
  return (
    <Frame>
      <Outlet />
    </Frame>
  );
}
