import { definePage, group, line, link, list } from '#lib/fields/page-field.ts';

const target = { label: line('Label', 40), href: link('Target') };

export const framePage = definePage(
  'frame',
  'Menu and footer',
  {
    menu: list('Menu', ['entry', 'entries'], target, [1, 8]),
    footer: group('Footer', {
      quick: line('Title of the menu', 40),
      more: list('Further links', ['link', 'links'], target, [0, 8]),
      follow: line('Title of the social links', 40),
      contact: line('Title of the contact details', 40),
      legal: line('Title of the legal links', 40),
    }),
  },
  {
    menu: [
      { label: 'Home', href: '/' },
      { label: 'Services', href: '/#services' },
      { label: 'Mad Experiments', href: '/case-studies' },
      { label: 'About', href: '/about' },
      { label: 'Join The Collective', href: '/join' },
      { label: 'Contact', href: '/#contact' },
    ],
    footer: {
      quick: 'Quick links',
      more: [{ label: 'Masterclass', href: '/ai-jewelry-masterclass' }],
      follow: 'Follow us',
      contact: 'Contact',
      legal: 'Legal',
    },
  },
);
