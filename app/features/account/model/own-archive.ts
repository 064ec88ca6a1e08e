import type { PostgrestClient } from '@supabase/postgrest-js';
import { createTarPacker } from 'modern-tar';
import { ApiError } from '#lib/data/api-error.ts';
import { readOne, rows } from '#lib/data/rows.ts';
import { downloadWords as words } from '../words.ts';

const PAGE_SIZE = 5;
const PROJECT = '*,case_study_metadata(*),project_media(*)';
const FILE = /\/storage\/v1\/object\/public\/((?:case-studies\/images|films)\/([0-9a-f-]{36})\.[a-z0-9]{3,4})/g;

type Project = { id: string };
type Source = { url: string; data: () => PostgrestClient };
type Report = (bytes: number) => void;

/** A tar file: `data.json`, own projects and the files that they show. @throws Error with its words, ApiError; the reason of an aborted `signal` */
export async function makeOwnArchive(source: Source, user: string, signal: AbortSignal, report: Report): Promise<Blob> {
  const data = source.data();
  const { readable, controller } = createTarPacker();
  const names = new Set<string>();
  const missing: string[] = [];
  let bytes = 0;
  async function add(name: string, file: Blob) {
    names.add(name);
    await file.stream().pipeTo(controller.add({ name, size: file.size }));
    bytes += file.size;
    report(bytes);
  }
  const addJson = (name: string, value: unknown) => add(name, new Blob([JSON.stringify(value, null, 2)]));

  async function addFile(path: string) {
    if (names.has(`files/${path}`) || missing.includes(path)) return;
    const answer = await fetch(`${source.url}/storage/v1/object/public/${path}`, { signal });
    if (answer.ok) await add(`files/${path}`, await answer.blob());
    else if (answer.status < 500 && answer.status !== 429) missing.push(path);
    else throw new Error();
  }

  async function addAll() {
    const own = await readOne<object>(data.rpc('own_data').abortSignal(signal));
    for (let from = 0, page: Project[] = []; from === 0 || page.length === PAGE_SIZE; from += PAGE_SIZE) {
      const query = data.from('projects').select(PROJECT).eq('created_by', user).order('id');
      page = await rows<Project>(query.range(from, from + PAGE_SIZE - 1).abortSignal(signal));
      for (const project of page) {
        await addJson(`projects/${project.id}.json`, project);
        const text = JSON.stringify(project);
        for (const [, path, film] of text.matchAll(FILE)) {
          await addFile(path!);
          if (path!.startsWith('films/') && text.includes('"captions":true')) await addFile(`captions/${film}.vtt`);
        }
      }
    }
    await addJson('data.json', { ...own, missing_files: missing });
    controller.finalize();
  }

  try {
    const [file] = await Promise.all([new Response(readable).blob(), addAll()]);
    return file;
  } catch (error) {
    controller.error(error);
    signal.throwIfAborted();
    throw error instanceof ApiError ? error : new Error(words.cutOff);
  }
}
