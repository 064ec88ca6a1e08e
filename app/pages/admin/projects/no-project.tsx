import { href, Link } from 'react-router';
import { admin } from '../../../copy/admin/admin.ts';
import { Banner } from '../../../ui/feedback/banner.tsx';
import { ScreenHead } from '../shell/screen-head.tsx';

export const NoProject = () => (
  <>
    <ScreenHead title={admin.projectNotFound} back={<Link to={href('/admin')}>Back to Projects</Link>} />
    <Banner kind="error">There is no project at this address. It may have been deleted.</Banner>
  </>
);
