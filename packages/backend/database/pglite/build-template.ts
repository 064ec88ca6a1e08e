import { buildTemplate } from './database-folder.ts';

await buildTemplate();
