import { type BrandColours, builtInColours } from '../brand/colours.ts';
import type { PagePath } from './page-path.ts';

export interface Agency {
  name: string;
  organisation: string;
  /** Name of the portfolio where the specification does not fix it. */
  portfolioName: string;
  /** Of e-mails; empty for the agency's name. */
  senderName: string;
  colours: BrandColours;
  /** SVG markup or a PNG as data URL; empty without one. Pages get the address of its file instead. */
  logo: string;
  logoDark: string;
  email: string;
  phone: string;
  address: readonly string[];
  city: string;
  country: string;
  defaultTitle: string;
  defaultDescription: string;
  bookMeeting: string;
  bookStrategyCall: string;
  applicationForm: string;
  chatNumber: string;
  social: readonly { name: string; href: string }[];
  defaultCover: string;
  pictureHosts: readonly string[];
}

/** Defaults until an admin changes them. Pages must read the facts instead. */
export const builtInAgency: Agency = {
  name: 'Madhouse',
  organisation: 'Madhouse Creative Collective',
  portfolioName: 'Mad Experiments',
  senderName: '',
  colours: builtInColours,
  logo: '',
  logoDark: '',
  email: 'hello@madhouse.example',
  phone: '+91 22 5555 0142',
  address: ['The Print House, second floor', '14 Mill Lane, Lower Parel', 'Mumbai 400013, India'],
  city: 'Mumbai',
  country: 'IN',
  defaultTitle: 'Human hands, machines, one print',
  defaultDescription:
    'A creative agency in Mumbai: human creators, AI and a collective of freelancers who share the profits of every project.',
  bookMeeting: 'https://calendar.madhouse.example/mad-meet',
  bookStrategyCall: 'https://calendar.madhouse.example/ai-strategy-call',
  applicationForm: 'https://forms.madhouse.example/join',
  chatNumber: '912255550142',
  social: [
    { name: 'Instagram', href: 'https://social.madhouse.example/instagram' },
    { name: 'LinkedIn', href: 'https://social.madhouse.example/linkedin' },
    { name: 'YouTube', href: 'https://social.madhouse.example/youtube' },
    { name: 'Behance', href: 'https://social.madhouse.example/behance' },
  ],
  defaultCover: '/house-cover.svg',
  pictureHosts: ['images.unsplash.com', 'images.pexels.com'],
};

export const mailLink = ({ email }: Agency) => `mailto:${email}`;
export const phoneLink = ({ phone }: Agency) => `tel:${phone.replace(/[^+\d]/g, '')}`;

export const chatLink = ({ chatNumber }: Agency, message: string) =>
  `https://wa.me/${chatNumber}?text=${encodeURIComponent(message)}`;

export const legalLinks = [
  { label: 'Privacy', href: '/privacy' },
  { label: 'Terms', href: '/terms' },
] as const satisfies readonly { label: string; href: PagePath }[];
