/** Facts about the agency. Nothing in a component repeats one of these. */
export const agency = {
  name: 'Madhouse',
  organisation: 'Madhouse Creative Collective',
  email: 'hello@madhouse.example',
  phone: '+91 22 5555 0142',
  address: ['The Print House, second floor', '14 Mill Lane, Lower Parel', 'Mumbai 400013, India'],
  city: 'Mumbai',
  country: 'IN',
  defaultTitle: 'Human hands, machines, one print',
  defaultDescription:
    'Madhouse is a creative agency in Mumbai: human creators, AI and a collective of freelancers who share the profits of every project.',
  /** External calendar. */
  bookMeeting: 'https://calendar.madhouse.example/mad-meet',
  bookStrategyCall: 'https://calendar.madhouse.example/ai-strategy-call',
  /** External application form of the collective. */
  applicationForm: 'https://forms.madhouse.example/join',
  /** Chat app's business number, digits only. */
  chatNumber: '912255550142',
  social: [
    { name: 'Instagram', href: 'https://social.madhouse.example/instagram' },
    { name: 'LinkedIn', href: 'https://social.madhouse.example/linkedin' },
    { name: 'YouTube', href: 'https://social.madhouse.example/youtube' },
    { name: 'Behance', href: 'https://social.madhouse.example/behance' },
  ],
  /** Shown when an experiment has no picture of its own; served from our own origin. */
  defaultCover: '/house-cover.svg',
  /** For link previews, 1200 × 630. */
  socialImage: '/social.png',
  /** Hosts whose pictures count even without a file ending. */
  pictureHosts: ['images.unsplash.com', 'images.pexels.com'],
} as const;

export const mailLink = `mailto:${agency.email}`;
export const phoneLink = `tel:${agency.phone.replace(/[^+\d]/g, '')}`;

/** Opens the chat app on a conversation with us. @param message what the visitor will find typed already */
export const chatLink = (message: string) => `https://wa.me/${agency.chatNumber}?text=${encodeURIComponent(message)}`;

/** The bar's links, in the specification's order. */
export const navigation = [
  { label: 'Home', href: '/' },
  { label: 'Services', href: '/#services' },
  { label: 'Mad Experiments', href: '/case-studies' },
  { label: 'About', href: '/about' },
  { label: 'Join The Collective', href: '/join' },
  { label: 'Contact', href: '/#contact' },
] as const;

export const legalLinks = [
  { label: 'Privacy', href: '/privacy' },
  { label: 'Terms', href: '/terms' },
] as const;
