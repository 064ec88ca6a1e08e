import { href, Outlet } from 'react-router';
import { useIsAdmin } from '#session/caller.ts';
import { ScreenHead, SmallLink } from '#ui/admin/screen-head.tsx';
import { Banner } from '#ui/feedback/banner.tsx';

export default function RequireAdmin() {
  if (useIsAdmin()) return <Outlet />;
  return (
    <>
      <ScreenHead title="For admins" />
      <Banner kind="info">You are signed in as an editor. This screen is for admins.</Banner>
      <p className="gap-above">
        You can work with projects, reviews, pages, media and messages. If you need something changed here, ask an
        admin, who can also make you one.
      </p>
      <p className="button-row gap-above">
        <SmallLink to={href('/admin')}>Open the dashboard</SmallLink>
      </p>
    </>
  );
}
