import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { href, Link, useSearchParams } from 'react-router';
import { pageParam } from '#lib/data/list-params.ts';
import { pagesOf, type TablePage } from '#lib/data/page.ts';
import { clients } from '#session/browser.ts';
import { Loaded } from '#ui/admin/loaded.tsx';
import { Pagination } from '#ui/data/pagination.tsx';
import { TitledSection } from '#ui/layout/section.tsx';
import { Moment } from '#ui/time.tsx';
import { listVersions, savedBy, summaryOf, type Version } from '../model/versions/versions.ts';
import { PROJECTS } from '../project-queries.ts';
import { editing as words } from '../words.ts';
import '../projects.css';

export function VersionList({ projectId }: { projectId: string }) {
  const [address] = useSearchParams();
  const page = pageParam.read(address.get('versions') ?? '');
  const versions = useQuery({
    queryKey: [PROJECTS, 'versions', projectId, page],
    queryFn: () => listVersions(clients().data(), projectId, page),
    placeholderData: keepPreviousData,
  });
  return (
    <TitledSection titleId="versions" title="Versions">
      <Loaded query={versions} loading={words.loadingVersions} failed="Failed to load versions">
        {(read) => <Versions projectId={projectId} read={read} />}
      </Loaded>
    </TitledSection>
  );
}

const Versions = ({ projectId, read: { rows, total, page } }: { projectId: string; read: TablePage<Version> }) => (
  <>
    <ol className="hairline" reversed>
      {rows.map((version, index) => (
        <li className="row" key={version.number}>
          <div className="row-words">
            <Link
              className="row-title"
              to={href('/admin/projects/:id/versions/:number', { id: projectId, number: String(version.number) })}
            >
              Version {version.number}
              {page === 1 && index === 0 && <span className="regular quiet"> (now)</span>}
            </Link>
            <span className="row-meta">{summaryOf(version)}</span>
          </div>
          <span className="row-meta">
            {savedBy(version)}, <Moment at={version.at} />
          </span>
        </li>
      ))}
    </ol>
    <Pagination
      pages={pagesOf(total)}
      current={page}
      addressOf={(wanted) => (wanted === 1 ? '?' : `?versions=${wanted}`)}
    />
  </>
);
