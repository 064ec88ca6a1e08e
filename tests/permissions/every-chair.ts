import { belongings } from './belongings.ts';
import { cleanup } from './cleanup.ts';
import { closedByDefault } from './closed-by-default.ts';
import { files } from './files.ts';
import { firstAdmin } from './first-admin.ts';
import { listings } from './listings.ts';
import { messages } from './messages.ts';
import { neighbours } from './neighbours.ts';
import { people } from './people.ts';
import { projects } from './projects.ts';
import { races } from './races.ts';
import { reading } from './reading.ts';
import { records } from './records.ts';
import { search } from './search.ts';
import { stageFor } from './stage.ts';
import { submission } from './submission.ts';
import { trash } from './trash.ts';
import { uploadProject } from './upload-project.ts';

/** All scenes on one engine. Each undoes what it did, but for the races at the end. */
export function everyChair(engine: Parameters<typeof stageFor>[0]): void {
  const stage = stageFor(engine);
  closedByDefault(stage);
  records(stage);
  projects(stage);
  submission(stage);
  belongings(stage);
  neighbours(stage);
  people(stage);
  firstAdmin(stage);
  files(stage);
  trash(stage);
  search(stage);
  listings(stage);
  messages(stage);
  reading(stage);
  uploadProject(stage);
  cleanup(stage);
  races(stage);
}
