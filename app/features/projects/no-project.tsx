import { href, Link } from 'react-router';
import { ScreenHead } from '#ui/admin/screen-head.tsx';
import { Banner } from '#ui/feedback/banner.tsx';

export const NoProject = () => (
  <>
    <ScreenHead title="Project not found" back={<Link to={href('/admin')}>Back to Projects</Link>} />
    <Banner kind="error">There is no project at this address. It may have been deleted.</Banner>
  </>
);
