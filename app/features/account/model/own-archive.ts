import type { PostgrestClient } from '@supabase/postgrest-js';
import { ArchiveError } from '#features/archive/model/archive-download.ts';
import { archiveWords as words } from '#features/archive/words.ts';
import { ApiError } from '#lib/data/api-error.ts';
import { readOne, rows } from '#lib/data/rows.ts';

const PAGE_SIZE = 5;
const BLOCK = 512;
const PROJECT = '*,case_study_metadata(*),project_media(*)';
const FILE = /\/storage\/v1\/object\/public\/((?:case-studies\/images|films)\/([0-9a-f-]{36})\.[a-z0-9]{3,4})/g;

type Project = { id: string };

// Browsers store large blobs on disk, so memory does not limit the size.
/** A tar file: `data.json`, own projects and the files that they show. @throws ArchiveError; the reason of an aborted `signal` */
export async function makeOwnArchive(
  url: string,
  data: PostgrestClient,
  user: string,
  signal: AbortSignal,
  onProgress: (bytes: number) => void,
): Promise<Blob> {
  const parts: BlobPart[] = [];
  const names = new Set<string>();
  const missing: string[] = [];
  let bytes = 0;
  const add = (name: string, file: Blob) => {
    names.add(name);
    parts.push(tarHeader(name, file.size), file, new Uint8Array(-file.size & (BLOCK - 1)));
    bytes += file.size;
    onProgress(bytes);
  };
  const addJson = (name: string, value: unknown) => add(name, new Blob([JSON.stringify(value, null, 2)]));

  async function addFile(path: string) {
    if (names.has(`files/${path}`) || missing.includes(path)) return;
    const answer = await fetch(`${url}/storage/v1/object/public/${path}`, { signal });
    if (answer.ok) add(`files/${path}`, await answer.blob());
    else if (answer.status < 500 && answer.status !== 429) missing.push(path);
    else throw new ArchiveError(words.cutOff);
  }

  try {
    const own = await readOne<object>(data.rpc('own_data').abortSignal(signal));
    for (let from = 0, page: Project[] = []; from === 0 || page.length === PAGE_SIZE; from += PAGE_SIZE) {
      const query = data.from('projects').select(PROJECT).eq('created_by', user).order('id');
      page = await rows<Project>(query.range(from, from + PAGE_SIZE - 1).abortSignal(signal));
      for (const project of page) {
        addJson(`projects/${project.id}.json`, project);
        const text = JSON.stringify(project);
        for (const [, path, film] of text.matchAll(FILE)) {
          await addFile(path!);
          if (path!.startsWith('films/') && text.includes('"captions":true')) await addFile(`captions/${film}.vtt`);
        }
      }
    }
    addJson('data.json', { ...own, missing_files: missing });
    return new Blob([...parts, new Uint8Array(2 * BLOCK)], { type: 'application/x-tar' });
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ApiError) throw new ArchiveError(error.reason || words.failed, error.code === 'PT403');
    throw error instanceof ArchiveError ? error : new ArchiveError(words.cutOff);
  }
}

function tarHeader(name: string, size: number): Uint8Array<ArrayBuffer> {
  const header = new Uint8Array(BLOCK);
  const write = (text: string, at: number) => header.set(new TextEncoder().encode(text), at);
  const octal = (value: number, digits: number) => value.toString(8).padStart(digits, '0');
  const slash = name.lastIndexOf('/');
  write(name.slice(slash + 1), 0);
  write(name.slice(0, Math.max(slash, 0)), 345);
  write(['0000600', '0000000', '0000000', octal(size, 11), octal(0, 11), '        0'].join('\0'), 100);
  write('ustar\x0000', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  write(`${octal(sum, 6)}\0 `, 148);
  return header;
}
