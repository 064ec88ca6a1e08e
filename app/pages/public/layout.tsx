import { Outlet } from 'react-router';

export const handle = { reading: true };

export default function PublicLayout() {
  return <Outlet />;
}
