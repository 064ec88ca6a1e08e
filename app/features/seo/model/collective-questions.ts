import type { FAQPage, WithContext } from 'schema-dts';
import { paymentTimes, shares, terms } from '#features/pages/words/collective.ts';
import type { joinPage } from '#features/pages/words/join.ts';
import type { ContentOf } from '#lib/fields/page-field.ts';
import { CONTEXT } from './structured-data.ts';

export function collectiveQuestions(content: ContentOf<(typeof joinPage)['fields']>): WithContext<FAQPage> {
  const { expectations, money, why, looking, pay, timing, how } = content;
  const answers: [string, string[]][] = [
    [
      expectations.title,
      [`${terms.doYouHours}: ${expectations.hours}`, `${terms.projects} ${expectations.projects}`, expectations.text],
    ],
    [money.title, [...money.text]],
    [why.title, [...why.text]],
    [looking.title, [looking.text, ...looking.list.map(({ who, what }) => `${who} ${what}`)]],
    [pay.title, [pay.text, ...shares.map(({ name, percent, to }) => `${name} ${percent}%: ${to}.`)]],
    [timing.title, [timing.text, ...paymentTimes.map(({ project, paid }) => `${project}: ${paid}.`)]],
    [how.title, [...how.ways.map(({ way, text }) => `${way}: ${text}`), terms.keys, terms.keysPerMember]],
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
