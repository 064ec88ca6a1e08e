import { CoverButton } from '#features/media/media-fields.tsx';
import { filmFileId } from '#features/media/model/picture.ts';
import { Thumbnail } from '#features/media/thumbnail.tsx';
import { mediaWords } from '#lib/words/media.ts';
import { IconButton } from '#ui/form/button.tsx';
import { SortHandle, StepButtons } from '#ui/form/sort-controls.tsx';
import type { useSorting } from '#ui/form/use-sorting.ts';
import type { ProjectMedia } from '../model/read.ts';
import { nameOfMedia } from '../model/versions/version-difference.ts';
import type { Parts } from '../planned/use-parts.ts';
import { useRowEditor } from '../use-row-editor.ts';
import { DeleteMediaButton } from './delete-media.tsx';
import { DescribeMedia } from './describe-media.tsx';
import { MediaWords } from './media-words.tsx';

export function MediaRow({
  media,
  sorting,
  cover,
  onCover,
  onDescribe,
  onDelete,
}: {
  media: ProjectMedia;
  sorting: ReturnType<typeof useSorting>;
  cover: boolean | null;
  onCover: () => void;
  onDescribe: Parts['media']['describe'];
  onDelete: () => void;
}) {
  const editor = useRowEditor();
  const name = nameOfMedia(media);
  return (
    <li className="media-row middle pad-y-2 stack hairline-below sort-row relative paper" {...sorting.look(media.id)}>
      <SortHandle name={name} handle={sorting.handle(media.id)} />
      <Thumbnail media={media} />
      <MediaWords media={media}>
        {media.type === 'image' && <span className="media-said quiet small">{mediaWords.says(media.alt)}</span>}
        {filmFileId(media.url) && (
          <span className="media-said quiet small">{media.captions ? 'With captions' : 'No captions yet'}</span>
        )}
        {media.made && <span className="media-said quiet small">{mediaWords.madeLine(media.made)}</span>}
      </MediaWords>
      <div className="inline gap-0 media-acts">
        {cover !== null && <CoverButton of={name} pressed={cover} onPress={onCover} />}
        <StepButtons {...sorting.steps(media.id)} />
        <IconButton icon="edit" label={`Describe ${name}`} {...editor.button} />
        <DeleteMediaButton media={media} onClick={onDelete} />
      </div>
      {editor.isOpen && <DescribeMedia media={media} name={name} describe={onDescribe} onClose={editor.close} />}
    </li>
  );
}
