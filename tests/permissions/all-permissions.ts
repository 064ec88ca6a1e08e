import { adminLists } from './admin-lists.ts';
import { archiveDownloads } from './archive-downloads.ts';
import { auditLog } from './audit-log.ts';
import { belongings } from './belongings.ts';
import { cleanup } from './cleanup.ts';
import { closedByDefault } from './closed-by-default.ts';
import { draftLinks } from './draft-links.ts';
import { editors } from './editors.ts';
import { files } from './files.ts';
import { firstAdmin } from './first-admin.ts';
import { listings } from './listings.ts';
import { mediaAndCredits } from './media-and-credits.ts';
import { mediaLibrary, mediaLibraryRaces } from './media-library.ts';
import { messageRaces, messages } from './messages.ts';
import { neighbours } from './neighbours.ts';
import { mailPreferences, webhooks } from './notices.ts';
import { objectReferences } from './object-references.ts';
import { overview } from './overview.ts';
import { accountRaces, ownAccounts } from './own-accounts.ts';
import { pageRaces, pages } from './pages.ts';
import { people } from './people.ts';
import { peopleRaces } from './people-races.ts';
import { plannedChanges, scheduleRaces } from './planned-changes.ts';
import { projectEditing, rivalEditors } from './project-editing.ts';
import { projectSaving } from './project-saving.ts';
import { projectVersions } from './project-versions.ts';
import { projects } from './projects.ts';
import { races } from './races.ts';
import { reading } from './reading.ts';
import { records } from './records.ts';
import { review } from './review.ts';
import { reviewQueueHelpers } from './review-queue-helpers.ts';
import { reviewRaces } from './review-races.ts';
import { reviewSubmitter } from './review-submitter.ts';
import { search } from './search.ts';
import { secondFactor } from './second-factor.ts';
import { settingsHistory } from './settings-history.ts';
import { paymentRaces, splitSheetRaces, splitSheets } from './split-sheets.ts';
import type { Stage } from './stage.ts';
import { submission } from './submission.ts';
import { submissionRate } from './submission-rate.ts';
import { trash } from './trash.ts';
import { trashByOne } from './trash-by-one.ts';
import { uploadProject } from './upload-project.ts';

export function testAccess(stage: Stage): void {
  closedByDefault(stage);
  records(stage);
  projects(stage);
  projectEditing(stage);
  submission(stage);
  belongings(stage);
  mediaAndCredits(stage);
  mediaLibrary(stage);
  pages(stage);
  plannedChanges(stage);
  people(stage);
  firstAdmin(stage);
  files(stage);
  auditLog(stage);
  messages(stage);
  webhooks(stage);
  mailPreferences(stage);
  archiveDownloads(stage);
  secondFactor(stage);
  review(stage);
  draftLinks(stage);
  splitSheets(stage);
  ownAccounts(stage);
  editors(stage);
}

/**
 * Behaviour of the database, also with concurrent statements, which only PostgreSQL runs in parallel. Each test rolls back
 * its changes, except the races at the end, which leave the admin role undefined.
 */
export function testBehaviour(stage: Stage): void {
  projectSaving(stage);
  projectVersions(stage);
  neighbours(stage);
  trash(stage);
  trashByOne(stage);
  objectReferences(stage);
  settingsHistory(stage);
  search(stage);
  adminLists(stage);
  listings(stage);
  reading(stage);
  uploadProject(stage);
  cleanup(stage);
  reviewSubmitter(stage);
  reviewQueueHelpers(stage);
  overview(stage);
  reviewRaces(stage);
  rivalEditors(stage);
  peopleRaces(stage);
  splitSheetRaces(stage);
  paymentRaces(stage);
  accountRaces(stage);
  mediaLibraryRaces(stage);
  pageRaces(stage);
  messageRaces(stage);
  submissionRate(stage);
  races(stage);
  scheduleRaces(stage);
}
