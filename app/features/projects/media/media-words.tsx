import type { ReactNode } from 'react';
import { Icon } from '#ui/icon.tsx';
import type { ProjectMedia } from '../model/read.ts';

type MediaWordsProps = { media: Pick<ProjectMedia, 'title' | 'description' | 'type' | 'url'>; children?: ReactNode };

export const MediaWords = ({ media: { title, description, type, url }, children }: MediaWordsProps) => (
  <div className="stack gap-0 grow anywhere">
    <strong>{title || 'Untitled'}</strong>
    {description && <span>{description}</span>}
    {children}
    <a href={url} target="_blank" rel="noreferrer">
      Open {type} <Icon name="arrow-out" />
    </a>
  </div>
);
