import { definePage, group, line, link, list } from '#lib/fields/page-field.ts';
import type { PagePath } from '#lib/words/page-path.ts';

const target = { label: line('Label', 24), href: link('Target') };

export const framePage = definePage('frame', 'Menu and footer', {
  menu: list('Menu', ['entry', 'entries'], target, [1, 8]).is([
    { label: 'Home', href: '/' satisfies PagePath },
    { label: 'Services', href: '/#services' satisfies PagePath },
    { label: 'Mad Experiments', href: '/case-studies' satisfies PagePath },
    { label: 'About', href: '/about' satisfies PagePath },
    { label: 'Join The Collective', href: '/join' satisfies PagePath },
    { label: 'Contact', href: '/#contact' satisfies PagePath },
  ]),
  footer: group('Footer', {
    quick: line('Title of the menu', 40).is('Quick links'),
    more: list('Further links', ['link', 'links'], target, [0, 8]).is([
      { label: 'Masterclass', href: '/ai-jewelry-masterclass' satisfies PagePath },
    ]),
    follow: line('Title of the social links', 40).is('Follow us'),
    contact: line('Title of the contact details', 40).is('Contact'),
    legal: line('Title of the legal links', 40).is('Legal'),
  }),
});
