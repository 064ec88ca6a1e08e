import type { FAQPage, WithContext } from 'schema-dts';
import { percentText, shares } from '#features/pages/words/collective.ts';
import type { joinPage } from '#features/pages/words/join.ts';
import type { ContentOf } from '#lib/fields/page-field.ts';
import { CONTEXT } from './page-meta.ts';

type JoinContent = ContentOf<(typeof joinPage)['fields']>;

export const keyRate = (keys: JoinContent['how']['keys']): string =>
  keys.map(({ metal, count }) => `${count} ${metal}`).join(' = ');

export function collectiveQuestions(content: JoinContent): WithContext<FAQPage> {
  const { expectations, money, why, looking, pay, timing, how } = content;
  const { hoursTitle, hours, projectsTitle, projects } = expectations;
  const answers: [string, string[]][] = [
    [expectations.title, [`${hoursTitle}: ${hours}`, `${projectsTitle} ${projects}`, expectations.text]],
    [money.title, [...money.text]],
    [why.title, [...why.text]],
    [looking.title, [looking.text, ...looking.list.map(({ who, what }) => `${who} ${what}`)]],
    [pay.title, [pay.text, ...shares.map((share) => `${share.name} ${percentText(share)}: ${share.to}.`)]],
    [timing.title, [timing.text, ...timing.list.map(({ project, paid }) => `${project}: ${paid}.`)]],
    [how.title, [...how.ways.map(({ way, text }) => `${way}: ${text}`), keyRate(how.keys), how.keysPerMember]],
  ];
  return {
    '@context': CONTEXT,
    '@type': 'FAQPage',
    mainEntity: answers.map(([name, text]) => ({
      '@type': 'Question',
      name,
      acceptedAnswer: { '@type': 'Answer', text: text.join(' ') },
    })),
  };
}
