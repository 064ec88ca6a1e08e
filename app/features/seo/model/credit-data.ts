import type { Article, ImageObject, Person } from 'schema-dts';
import { creditLine } from '#features/credits/model/credits.ts';
import type { Media } from '#features/media/model/media.ts';
import { type PictureHost, pictureOf } from '#features/media/model/picture.ts';
import type { Project } from '#features/projects/model/read.ts';
import { creditWords, type Made } from '#lib/words/credits.ts';

/** schema.org still uses "digital art" for the IPTC term "digital creation". */
const SOURCES = {
  hand: 'https://schema.org/DigitalArtDigitalSource',
  machine: 'https://schema.org/TrainedAlgorithmicMediaDigitalSource',
  together: 'https://schema.org/CompositeWithTrainedAlgorithmicMediaDigitalSource',
} as const satisfies Record<Made, string>;

type Credited = Pick<Project, 'credits' | 'shares'> & { project_media: Media[] };

export function creditData({ credits, shares, project_media }: Credited, host: PictureHost) {
  const people = [...new Set(credits.flatMap((credit) => credit.people))];
  const pictures = project_media.flatMap((item): ImageObject | [] => {
    if (item.type !== 'image' || !item.made) return [];
    const address = URL.parse(pictureOf(item, host).src, host.origin)?.href;
    if (!address) return [];
    const caption = item.alt && { caption: item.alt };
    return { '@type': 'ImageObject', contentUrl: address, ...caption, digitalSourceType: SOURCES[item.made] };
  });
  const share = shares && `${creditWords.share(shares.hand).replaceAll('\u00a0', ' ')}.`;
  const parts = credits.map((credit) => `${credit.part}: ${creditLine(credit)}.`);
  return {
    ...(share && { creditText: [share, ...parts].join(' ') }),
    ...(people.length > 0 && { contributor: people.map((name): Person => ({ '@type': 'Person', name })) }),
    ...(pictures.length > 0 && { associatedMedia: pictures }),
  } satisfies Partial<Exclude<Article, string>>;
}
