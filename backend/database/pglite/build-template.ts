import { prepareFolder } from './database-folder.ts';

await prepareFolder();
