import { StrictMode, useState } from 'react';
import { createPortal } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { pictureHost } from '#context/picture-host.ts';
import { FactsContext } from '#context/use-facts.ts';
import { findDraftStates } from '#features/drafts/model/draft-state.ts';
import { AccountMenu } from '#features/pages/account-menu.tsx';
import { addressOf } from '#features/projects/model/labels.ts';
import { createdBy, findProject } from '#features/projects/model/read.ts';
import { deleteProjects } from '#features/projects/model/write.ts';
import { builtInFacts } from '#features/settings/model/facts.ts';
import type { ProjectFact } from '#features/settings/model/project-facts.ts';
import { first } from '#lib/data/rows.ts';
import { messages } from '#lib/words/messages.ts';
import type { PagePath } from '#lib/words/page-path.ts';
import { clients } from '#session/browser.ts';
import { type CurrentUser, currentUser } from '#session/current-user.ts';
import { ConfirmDialog } from '#ui/feedback/confirm-dialog.tsx';
import { useSubmit } from '#ui/form/use-submit.ts';
import { Icon } from '#ui/icon.tsx';
import { RestorableFor } from './restorable-for.tsx';

/** Account menu, delete buttons and own drafts, rendered into placeholders of the server's HTML. */
export async function showSignedInParts(): Promise<void> {
  const user = await currentUser().catch(() => null);
  if (!user) return;
  const opened = await openHidden();
  const account = place('account');
  account?.replaceChildren();
  const root = createRoot(document.body.appendChild(document.createElement('div')));
  const render = async () => {
    const places = await deletable(user);
    root.render(
      <StrictMode>
        {account && createPortal(<AccountMenu user={user} />, account)}
        <DeleteExperiments places={places} onDeleted={opened || place('experiment') ? toList : reload} />
      </StrictMode>,
    );
  };
  await render();
  addEventListener('content-added', render);
}

const place = (id: 'account' | 'experiment' | 'experiment-actions' | 'main') => document.getElementById(id);
const idIn = (path: string) => path.split('/')[2] ?? '';
const toList = () => location.replace('/case-studies' satisfies PagePath);

function reload() {
  document.body.toggleAttribute('data-loading', true);
  location.reload();
}

type Places = Map<string, { element: Element; name: string }>;

async function deletable(user: CurrentUser): Promise<Places> {
  const places: Places = new Map();
  for (const { pathname, parentElement } of document.links) {
    const element = parentElement?.closest('.cards > li');
    if (element) places.set(idIn(pathname), { element, name: parentElement!.textContent! });
  }
  const actions = place('experiment-actions');
  if (actions) places.set(idIn(location.pathname), { element: actions, name: 'this experiment' });
  if (user.role || places.size === 0) return places;
  const ownIds = new Set(await createdBy(clients().data(), user.id, [...places.keys()]).catch(() => []));
  return new Map([...places].filter(([id]) => ownIds.has(id)));
}

/** The server reads without a session; the browser can find the user's own draft. */
async function openHidden(): Promise<boolean> {
  const main = place('main');
  if (!main || !place('experiment')?.matches(':has(.error-panel)')) return false;
  const experiment = await findProject(clients().data(), idIn(location.pathname)).catch(() => null);
  if (!experiment) return false;
  const setting = clients().data().from('site_settings').select('value').eq('name', 'project_facts');
  const [[draft = null], defined] = await Promise.all([
    findDraftStates(clients().data(), [experiment.id]).catch(() => []),
    first<{ value: ProjectFact[] }>(setting).catch(() => null),
  ]);
  const facts = { ...builtInFacts, projectFacts: defined?.value ?? [] };
  const { ExperimentArticle } = await import('./detail/article.tsx');
  const host = pictureHost();
  await new Promise<void>((resolve) => {
    main.replaceChildren();
    createRoot(main).render(
      <FactsContext value={facts}>
        <ExperimentArticle experiment={experiment} draft={draft} host={host} ref={() => resolve()} />
      </FactsContext>,
    );
  });
  dispatchEvent(new Event('content-added'));
  history.replaceState(history.state, '', addressOf(experiment));
  document.title = document.title.replace(/^[^|]+/, () => `${experiment.title} `);
  return true;
}

function DeleteExperiments({ places, onDeleted }: { places: Places; onDeleted: () => void }) {
  const [chosen, choose] = useState<string | null>(null);
  const { busy, failure, run, reset } = useSubmit(messages.failedToDeleteExperiment);
  const finish = () => {
    choose(null);
    onDeleted();
  };
  const remove = () => run(() => deleteProjects(clients().data(), [chosen!], ''), finish);

  return (
    <>
      {[...places].map(([id, { element, name }]) =>
        createPortal(
          <button
            className="button button-danger button-admin delete-button gap-above-small"
            type="button"
            onClick={() => {
              reset();
              choose(id);
            }}
          >
            <Icon name="trash" />
            Delete<span className="hidden-text"> {name}</span>
          </button>,
          element,
          id,
        ),
      )}
      <ConfirmDialog
        open={chosen !== null}
        title={messages.deleteTitle}
        confirmLabel={messages.deleteConfirm}
        busyLabel={messages.deleting}
        busy={busy}
        error={failure}
        onConfirm={remove}
        onCancel={() => choose(null)}
      >
        <p>Are you sure you want to delete this experiment? This action cannot be undone.</p>
        <RestorableFor open={chosen !== null} />
      </ConfirmDialog>
    </>
  );
}
