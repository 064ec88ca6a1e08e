import { prepareFolder } from './new-folder.ts';

await prepareFolder();
