import type { Article, ImageObject, Person } from 'schema-dts';
import { creditLine } from '#features/credits/model/credits.ts';
import type { Media } from '#features/media/model/media.ts';
import type { Project } from '#features/projects/model/read.ts';
import { creditWords, type Made } from '#lib/words/credits.ts';

/** schema.org still uses "digital art" for the IPTC term "digital creation". */
const SOURCES = {
  hand: 'https://schema.org/DigitalArtDigitalSource',
  machine: 'https://schema.org/TrainedAlgorithmicMediaDigitalSource',
  together: 'https://schema.org/CompositeWithTrainedAlgorithmicMediaDigitalSource',
} as const satisfies Record<Made, string>;

type Credited = Pick<Project, 'credits' | 'shares'> & { project_media: Pick<Media, 'type' | 'url' | 'alt' | 'made'>[] };

export function creditData({ credits, shares, project_media }: Credited, origin: string) {
  const people = [...new Set(credits.flatMap((credit) => credit.people))];
  const pictures = project_media.flatMap(({ type, url, alt, made }): ImageObject | [] => {
    const address = URL.parse(url, origin)?.href;
    if (type !== 'image' || !made || !address) return [];
    const caption = alt && { caption: alt };
    return { '@type': 'ImageObject', contentUrl: address, ...caption, digitalSourceType: SOURCES[made] };
  });
  const share = shares && `${creditWords.share(shares.hand).replaceAll('\u00a0', ' ')}.`;
  const parts = credits.map((credit) => `${credit.part}: ${creditLine(credit)}.`);
  return {
    ...(share && { creditText: [share, ...parts].join(' ') }),
    ...(people.length > 0 && { contributor: people.map((name): Person => ({ '@type': 'Person', name })) }),
    ...(pictures.length > 0 && { associatedMedia: pictures }),
  } satisfies Partial<Exclude<Article, string>>;
}
