/** On a 24 × 24 grid; our fonts have no arrows or ticks. */
const OUTLINES = {
  'arrow-right': 'M4 12h15M13 5l7 7-7 7',
  'arrow-left': 'M20 12H5M11 5l-7 7 7 7',
  'arrow-down': 'M12 4v15M5 13l7 7 7-7',
  'arrow-up': 'M12 20V5M5 11l7-7 7 7',
  'arrow-out': 'M6 18 18 6M8 6h10v10',
  check: 'M4 13l5 5L20 6',
  close: 'M5 5l14 14M19 5 5 19',
  plus: 'M12 4v16M4 12h16',
  dashboard: 'M3 3h8v10H3zM14 3h7v5h-7zM14 11h7v10h-7zM3 16h8v5H3z',
  folder: 'M3 5h7l2 3h9v12H3z',
  table: 'M3 4h18v16H3zM3 10h18M9 10v10',
  inbox: 'M5 4h14l2 10v6H3v-6zM3 14h5l2 3h4l2-3h5',
  users: 'M9 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM2 20a7 7 0 0 1 14 0M16 4a4 4 0 0 1 0 8M19 14a7 7 0 0 1 3 6',
  sliders: 'M3 7h9M18 7h3M15 4a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM3 17h3M12 17h9M9 14a3 3 0 1 0 0 6 3 3 0 0 0 0-6z',
  clock: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7v5l4 3',
  square: 'M4 4h16v16H4z',
  menu: 'M3 6h18M3 12h18M3 18h18',
  share: 'M12 15V3M7 8l5-5 5 5M5 13v8h14v-8',
  trash: 'M4 6h16M9 6V3h6v3M6 6l1 15h10l1-15M10 10v7M14 10v7',
  edit: 'M4 20l1-5L16 4l4 4L9 19z',
  play: 'M7 4l13 8-13 8z',
  page: 'M5 3h9l5 5v13H5zM14 3v5h5M8 13h8M8 17h5',
  picture: 'M3 4h18v16H3zM3 17l6-6 4 4 3-3 5 5M15 8h1',
  video: 'M3 6h13v12H3zM16 10l5-3v10l-5-3z',
  link: 'M9 15l6-6M8 12l-3 3a4 4 0 0 0 5 5l3-3M16 12l3-3a4 4 0 0 0-5-5l-3 3',
  mail: 'M3 5h18v14H3zM3 6l9 7 9-7',
  phone: 'M5 3h4l2 5-3 2a12 12 0 0 0 6 6l2-3 5 2v4a2 2 0 0 1-2 2A17 17 0 0 1 3 5a2 2 0 0 1 2-2z',
  search: 'M10 4a6 6 0 1 0 0 12 6 6 0 0 0 0-12zM15 15l6 6',
  user: 'M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM4 21a8 8 0 0 1 16 0',
  building: 'M4 21V4h10v17M14 10h6v11M2 21h20M8 8h2M8 12h2M8 16h2M17 14h.5M17 17h.5',
  warning: 'M12 3 2 21h20zM12 10v5M12 18v.5',
  info: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 11v6M12 7v.5',
  drag: 'M9 5h.5M9 12h.5M9 19h.5M15 5h.5M15 12h.5M15 19h.5',
  eye: 'M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z',
  bold: 'M7 4h6a4 4 0 0 1 0 8H7zM7 12h7a4 4 0 0 1 0 8H7z',
  italic: 'M10 4h8M6 20h8M14 4l-4 16',
  underline: 'M6 4v7a6 6 0 0 0 12 0V4M5 21h14',
  strike: 'M4 12h16M17 7c-1-4-10-4-10 1 0 2 2 3 5 4M7 16c1 5 10 5 10 0 0-1 0-2-1-3',
  quote: 'M4 7h6v6c0 3-2 4-4 5M14 7h6v6c0 3-2 4-4 5',
  code: 'M8 6l-6 6 6 6M16 6l6 6-6 6',
  'list-bullet': 'M9 6h12M9 12h12M9 18h12M4 6h.5M4 12h.5M4 18h.5',
  'list-number': 'M10 6h11M10 12h11M10 18h11M4 4h1v5M4 15h3l-3 4h3',
  eraser: 'M4 16 14 6l6 6-8 8H8zM9 11l6 6M4 21h16',
  undo: 'M9 14 4 9l5-5M4 9h9a6 6 0 0 1 0 12h-3',
} as const;

export type IconName = keyof typeof OUTLINES;

export const Icon = ({ name }: { name: IconName }) => (
  <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
    <path d={OUTLINES[name]} />
  </svg>
);
