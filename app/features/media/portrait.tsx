import { type PictureHost, pictureOf } from './model/picture.ts';
import { Picture } from './picture.tsx';
import './portrait.css';

type PortraitProps = { of: { name: string; portrait: string }; host: PictureHost; sizes: string };

export const Portrait = ({ of: { name, portrait }, host, sizes }: PortraitProps) =>
  portrait !== '' && (
    <span className="portrait block panel">
      <Picture
        picture={pictureOf({ url: portrait, width: 800, height: 800, placeholder: null }, host)}
        alt={`Portrait of ${name}`}
        sizes={sizes}
        widths={[320, 640]}
      />
    </span>
  );
