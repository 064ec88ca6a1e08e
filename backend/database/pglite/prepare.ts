/** Run by the build: prepares an empty database, so that a first start copies one instead of making it. */
import { prepareFolder } from './new-folder.ts';

await prepareFolder();
