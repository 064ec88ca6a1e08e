import type { Mutation } from '../mutations.bench.ts';

const gate = 'tests/journeys/admin/gate.test.ts';
const projects = 'tests/journeys/admin/projects.test.ts';
const help = 'tests/journeys/admin/help.test.ts';
const setup = 'tests/journeys/setup/admin-setup.test.ts';
const masterclass = 'tests/journeys/public/masterclass.test.ts';
const about = 'tests/journeys/public/public-pages.test.ts';
const layout = 'tests/journeys/public/layout.test.ts';
const DASHBOARD = 'app/features/dashboard/dashboard.tsx';
const SIDEBAR = 'app/lib/words/admin.ts';
const COURSE = 'app/features/masterclass/words/page.ts';
const COURSE_FACTS = 'app/features/masterclass/words/defaults.ts';

/** The screens of the admin area and around it, the masterclass, About and not found. */
export const mutations: Mutation[] = [
  {
    breaks: 'ALAY-02',
    file: SIDEBAR,
    from: "{ label: 'Dashboard', href: '/admin' }",
    to: "{ label: 'Overview', href: '/admin' }",
    test: gate,
    title: 'has this sidebar',
  },
  {
    breaks: 'ALAY-03',
    file: SIDEBAR,
    from: "{ label: 'Projects', href: '/admin/projects' }",
    to: "{ label: 'Projects', href: '/admin/projects/new' }",
    test: gate,
    title: 'has this sidebar',
  },
  {
    breaks: 'ALAY-04',
    file: SIDEBAR,
    from: "{ label: 'Case Studies', href: '/admin/case-studies' }",
    to: "{ label: 'Mad Experiments', href: '/admin/case-studies' }",
    test: gate,
    title: 'has this sidebar',
  },
  {
    breaks: 'ALAY-06',
    file: SIDEBAR,
    from: "  { label: 'Settings', href: '/admin/settings' },\n",
    to: '',
    test: gate,
    title: 'has this sidebar',
  },

  {
    breaks: 'DASH-01',
    file: DASHBOARD,
    from: "button-admin\" to={href('/admin/settings')}",
    to: "button-admin\" to={href('/admin/users')}",
    test: projects,
    title: 'leads everywhere',
  },
  {
    breaks: 'DASH-02',
    file: DASHBOARD,
    from: "to={href('/admin/projects/new')}",
    to: "to={href('/admin/projects')}",
    test: projects,
    title: 'leads everywhere',
  },
  {
    breaks: 'DASH-03',
    file: DASHBOARD,
    from: "{ label: 'New Project', note",
    to: "{ label: 'Write a Project', note",
    test: projects,
    title: 'leads everywhere',
  },
  {
    breaks: 'DASH-04',
    file: DASHBOARD,
    from: "note: 'Review, publish, delete', href: MANAGE,",
    to: "note: 'Review, publish, delete', href: '/admin/projects',",
    test: projects,
    title: 'leads everywhere',
  },
  {
    breaks: 'DASH-05',
    file: DASHBOARD,
    from: "href: href('/case-study-upload'),",
    to: "href: href('/upload-project'),",
    test: projects,
    title: 'leads everywhere',
  },

  {
    breaks: 'PDET-01: the client is left out',
    file: 'app/features/projects/detail.tsx',
    from: "      <dt>Client</dt>\n      <dd>{project.client ?? 'Not given'}</dd>\n",
    to: '',
    test: projects,
    title: 'is written, changed, published and deleted',
  },
  {
    breaks: 'PDET-01: tags are counted, not named',
    file: 'app/features/projects/detail.tsx',
    from: "<dd>{project.tags.length === 0 ? 'None' : project.tags.join(', ')}</dd>",
    to: '<dd>{project.tags.length}</dd>',
    test: projects,
    title: 'is written, changed, published and deleted',
  },
  {
    breaks: 'PDET-02',
    file: 'app/features/projects/detail.tsx',
    from: "href('/admin/projects/:id/edit', ",
    to: "href('/admin/projects/:id', ",
    test: projects,
    title: 'is written, changed, published and deleted',
  },

  {
    breaks: 'SETUP-01: the key is called otherwise',
    file: 'app/features/setup/setup-form.tsx',
    from: 'label="Setup key"',
    to: 'label="Admin key"',
    test: setup,
    title: 'makes the first admin, once',
  },
  {
    breaks: 'SETUP-03: the other method is run',
    file: 'app/features/setup/admin-setup.tsx',
    from: "(method === 'direct' ? setUpDirectly : setUpByEmail)(means",
    to: 'setUpByEmail(means',
    test: setup,
    title: 'makes the first admin, once',
  },
  {
    breaks: 'SETUP-03: cannot be chosen by its name',
    file: 'app/features/setup/setup-form.tsx',
    from: "label: 'Direct API Method'",
    to: "label: 'Direct Method'",
    test: setup,
    title: 'makes the first admin, once',
  },

  {
    breaks: 'DIRECT-01: the email',
    file: 'app/features/setup/admin-login.tsx',
    from: '<EmailField />',
    to: '<EmailField type="text" />',
    test: help,
    title: 'signs in, and says that the role was refused',
  },
  {
    breaks: 'DIRECT-01: the password',
    file: 'app/features/setup/admin-login.tsx',
    from: 'label="Password"',
    to: 'label="Secret"',
    test: help,
    title: 'signs in, and says that the role was refused',
  },
  {
    breaks: 'DIRECT-02',
    file: 'app/features/setup/admin-login.tsx',
    from: '              Sign In\n',
    to: '              Log In\n',
    test: help,
    title: 'signs in, and says that the role was refused',
  },
  {
    breaks: 'DIRECT-03',
    file: 'app/features/setup/admin-login.tsx',
    from: '              Create Account\n',
    to: '              Create\n',
    test: help,
    title: 'signs in, and says that the role was refused',
  },
  {
    breaks: 'VERIFY-01: the field',
    file: 'app/features/setup/verify-user.tsx',
    from: " kind: 'email',",
    to: '',
    test: help,
    title: 'asks for an address and refuses strangers',
  },
  {
    breaks: 'VERIFY-01: the button',
    file: 'app/features/setup/verify-user.tsx',
    from: 'submitLabel="Verify Email"',
    to: 'submitLabel="Verify"',
    test: help,
    title: 'asks for an address and refuses strangers',
  },

  {
    breaks: 'MASTER-03',
    file: COURSE,
    from: "lead: 'A two-day in-person AI masterclass",
    to: "lead: 'A two-day AI masterclass",
    test: masterclass,
    title: 'states its facts',
  },
  {
    breaks: 'MASTER-04',
    file: 'app/features/masterclass/model/masterclass.ts',
    from: "weekday: 'long'",
    to: "weekday: 'short'",
    test: masterclass,
    title: 'states its facts',
  },
  {
    breaks: 'MASTER-05',
    file: 'app/features/masterclass/facts.tsx',
    from: '      <Fact name={facts.where} value={course.city} />\n',
    to: '',
    test: masterclass,
    title: 'states its facts',
  },
  {
    breaks: 'MASTER-08',
    file: COURSE_FACTS,
    from: 'perQuarter: 2,',
    to: 'perQuarter: 1,',
    test: masterclass,
    title: 'states its facts',
  },
  {
    breaks: 'MASTER-09',
    file: COURSE_FACTS,
    from: 'standardFee: 12_500,',
    to: 'standardFee: 12_000,',
    test: masterclass,
    title: 'states its facts',
  },
  {
    breaks: 'MASTER-10',
    file: 'app/features/masterclass/pricing.tsx',
    from: '<Price name={member} amount={memberFee} plate="on-machine">',
    to: '<Price name={member} amount={standardFee} plate="on-machine">',
    test: masterclass,
    title: 'states its facts',
  },
  {
    breaks: 'MASTER-11',
    file: COURSE,
    from: "saving: 'time and cost saving on pictures",
    to: "saving: 'time saving on pictures",
    test: masterclass,
    title: 'states its facts',
  },

  {
    breaks: 'ABOUT-01',
    file: 'app/features/pages/words/about.ts',
    from: "brands: ['Build', 'Brands.']",
    to: "brands: ['Make', 'Brands.']",
    test: about,
    title: 'says what we believe and where to go on',
  },
  {
    breaks: 'ABOUT-03',
    file: 'app/features/pages/about/about.tsx',
    from: '<span className="diagram-plus black"> + </span>',
    to: '<span className="diagram-plus black"> and </span>',
    test: about,
    title: 'says what we believe and where to go on',
  },
  {
    breaks: 'NF-01',
    file: 'app/features/pages/not-found.tsx',
    from: '        404\n      </p>',
    to: '        Oops\n      </p>',
    test: layout,
    title: 'answers 404 and leads home',
  },
  {
    breaks: 'NF-02',
    file: 'app/features/pages/not-found.tsx',
    from: '<h1>Page Not Found</h1>',
    to: '<h1>Nothing Here</h1>',
    test: layout,
    title: 'answers 404 and leads home',
  },
];
