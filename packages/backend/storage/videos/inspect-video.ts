import { errors } from '../errors.ts';
import { type FileReader, withReader } from './file-reader.ts';
import { readMp4Tracks } from './mp4.ts';
import { readWebmTracks } from './webm.ts';

export interface VideoTrack {
  kind: 'video' | 'audio' | 'other';
  /** Four characters in MP4, such as `avc1`; `V_VP9` and the like in WebM. */
  codec: string;
  width?: number;
  height?: number;
}

const PLAYED = {
  video: ['avc1', 'avc3', 'av01', 'vp08', 'vp09', 'V_VP8', 'V_VP9', 'V_AV1'],
  audio: ['mp4a', 'Opus', 'fLaC', '.mp3', 'A_OPUS', 'A_VORBIS'],
};
const NAMES: Record<string, string> = {
  hvc1: 'HEVC (H.265)',
  hev1: 'HEVC (H.265)',
  dvh1: 'Dolby Vision',
  dvhe: 'Dolby Vision',
  apch: 'ProRes',
  apcn: 'ProRes',
  apcs: 'ProRes',
  apco: 'ProRes',
  ap4h: 'ProRes',
  mp4v: 'MPEG-4 Part 2',
  'ac-3': 'Dolby Digital',
  'ec-3': 'Dolby Digital Plus',
};

/** From the bytes: names and declared types are not believed (TM-35). @throws InvalidRequest (422) for the user */
export function inspectVideo(path: string, extension: string) {
  return withReader(path, async (file) => {
    const { format, tracks } = await readTracks(file);
    if (extension !== format)
      throw errors.invalidFile(
        `The video is ${format === 'mp4' ? 'MP4' : 'WebM'}, so its name must end in .${format}. Rename it, then upload it again.`,
      );
    for (const kind of ['video', 'audio'] as const)
      for (const { codec } of tracks.filter((track) => track.kind === kind))
        if (!PLAYED[kind].includes(codec)) throw unsupported(kind, codec);
    const picture = tracks.find(({ kind }) => kind === 'video');
    if (!picture?.width || !picture.height)
      throw errors.invalidFile('The file has no moving picture. Choose a video, as MP4 or WebM.');
    return { mimetype: `video/${format}`, width: picture.width, height: picture.height };
  });
}

async function readTracks(file: FileReader): Promise<{ format: 'mp4' | 'webm'; tracks: VideoTrack[] }> {
  const head = (await file.read(0, 12)).toString('latin1');
  if (/^.{4}ftypqt {2}/s.test(head))
    throw errors.invalidFile('The video is QuickTime (MOV), which not every browser plays. Export it as MP4 (H.264).');
  if (/^.{4}ftyp(?!avi[fs]|hei|mif1|msf1)/s.test(head)) return { format: 'mp4', tracks: await readMp4Tracks(file) };
  const tracks = head.startsWith('\x1aE\xdf\xa3') ? await readWebmTracks(file) : null;
  if (!tracks) throw errors.invalidFile('The file is neither an MP4 nor a WebM video. Export it as one of the two.');
  return { format: 'webm', tracks };
}

const unsupported = (kind: 'video' | 'audio', codec: string) => {
  const name = NAMES[codec] ?? (codec.replace(/[^\w.-]/g, '').slice(0, 32) || 'something unknown');
  return errors.invalidFile(
    kind === 'video'
      ? `The video is encoded as ${name}, which not every browser plays. Export it as H.264 (MP4) and upload it again.`
      : `The sound is encoded as ${name}, which not every browser plays. Export it with AAC sound and upload it again.`,
  );
};
