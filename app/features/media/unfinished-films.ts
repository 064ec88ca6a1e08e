import { useState } from 'react';
import { newId } from '#lib/data/ids.ts';
import { readStored, writeStored } from '#session/stored.ts';
import { filmTarget } from './model/film-target.ts';

interface UnfinishedFilm extends Pick<File, 'name' | 'size' | 'lastModified'> {
  id: string;
}

/** Films whose uploads this browser has begun: one that is chosen again continues. @param owner such as a project's id */
export function useUnfinishedFilms(owner: string) {
  const key = `madhouse-films-${owner}`;
  const read = () => JSON.parse(readStored('localStorage', key) ?? '[]') as UnfinishedFilm[];
  const [films, setFilms] = useState(read);

  function change(next: (films: UnfinishedFilm[]) => UnfinishedFilm[]) {
    const stored = next(read());
    writeStored('localStorage', key, stored.length > 0 ? JSON.stringify(stored) : null);
    setFilms(stored);
  }
  const forget = (id: string) => change((all) => all.filter((film) => film.id !== id));

  return {
    films,
    forget,
    idOf: ({ name, size, lastModified }: File): string =>
      films.find((film) => film.name === name && film.size === size && film.lastModified === lastModified)?.id ??
      newId(),
    async targetOf(file: File, id: string) {
      const target = await filmTarget(file, id);
      const { name, size, lastModified } = file;
      change((all) => [...all.filter((film) => film.id !== id), { id, name, size, lastModified }]);
      return target;
    },
  };
}
