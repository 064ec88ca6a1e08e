import type { AccountRole } from '../account-role.ts';
import type { PagePath } from './page-path.ts';

export const admin = {
  title: 'MAD Admin',
  noExperiments: 'No experiments found.',
  noProjects: 'No projects yet. Click "New Project" to create one.',
  failedToCreateProject: 'Failed to create project',
  failedToAddMedia: 'Failed to add media',
  noMatch: { project: 'No projects match.', experiment: 'No experiments match.' },
  guest: 'A guest, or an account that was deleted',
  noAddress: 'No email address stored',
  notFinished: 'Not finished',
  experimentsAndDrafts: (all: number, drafts: number) =>
    `${all.toLocaleString('en')} ${all === 1 ? 'experiment' : 'experiments'}, ${drafts.toLocaleString('en')} ${drafts === 1 ? 'draft' : 'drafts'}`,
  failedToLoadExperiments: 'Failed to load experiments',
} as const;

const ADMIN_ONLY: readonly PagePath[] = ['/admin/users', '/admin/settings', '/admin/log'];

const adminGroups = [
  { title: null, screens: [{ label: 'Dashboard', href: '/admin' }] },
  {
    title: 'Content',
    screens: [
      { label: 'Projects', href: '/admin/projects' },
      { label: 'Case Studies', href: '/admin/case-studies' },
      { label: 'Review', href: '/admin/review' },
      { label: 'Media', href: '/admin/media' },
      { label: 'Pages', href: '/admin/pages' },
    ],
  },
  {
    title: 'People',
    screens: [
      { label: 'Users', href: '/admin/users' },
      { label: 'Messages', href: '/admin/messages' },
    ],
  },
  {
    title: 'Site',
    screens: [
      { label: 'Settings', href: '/admin/settings' },
      { label: 'Trash', href: '/admin/trash' },
      { label: 'Log', href: '/admin/log' },
    ],
  },
] as const satisfies readonly { title: string | null; screens: readonly { label: string; href: PagePath }[] }[];

export type AdminScreen = (typeof adminGroups)[number]['screens'][number];

export const groupsFor = (role: AccountRole) =>
  adminGroups.map(({ title, screens }) => ({
    title,
    screens: (screens as readonly AdminScreen[]).filter(({ href }) => role === 'admin' || !ADMIN_ONLY.includes(href)),
  }));

export const screensFor = (role: AccountRole) => groupsFor(role).flatMap(({ screens }) => screens);

export const adminActions = [
  { label: 'New Project', href: '/admin/projects/new', also: 'create add write' },
  { label: 'New Experiment', href: '/case-study-upload', also: 'create add submit form', leaves: true },
  { label: 'Review drafts', href: '/admin/review', also: 'publish waiting submissions inbox' },
  { label: 'View site', href: '/case-studies', also: 'public portfolio mad experiments', leaves: true },
] as const satisfies readonly { label: string; href: PagePath; also: string; leaves?: true }[];
