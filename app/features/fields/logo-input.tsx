import { href } from 'react-router';
import { FileField } from '#features/media/file-field.tsx';
import { LOGO_TOO_LARGE, logoKind, logoSource, MAX_LOGO_FILE_BYTES } from '#lib/brand/logo.ts';
import { clients } from '#session/browser.ts';
import { useSubmit } from '#ui/form/use-submit.ts';

interface LogoProps {
  field: { label: string; help?: string | undefined };
  name: string;
  logo: string;
  onChange: (logo: string) => void;
}

export function LogoInput({ field: { label, help }, name, logo, onChange }: LogoProps) {
  const { busy, failure, run } = useSubmit(UNREADABLE);
  return (
    <>
      <FileField
        label={label}
        hint={help ?? ''}
        error={failure}
        name={name}
        accept=".svg,.png,image/svg+xml,image/png"
        disabled={busy}
        onChoose={([file]) => void (file && run(() => readLogo(file), onChange))}
      />
      {logo && (
        <p className="cluster">
          <img className="brand-logo" src={logoSource(logo)} alt={`${label}: ${logoKind(logo)}`} />
          <button type="button" className="field-button" onClick={() => onChange('')}>
            Remove<span className="hidden-text"> {label}</span>
          </button>
        </p>
      )}
    </>
  );
}

const UNREADABLE = 'The logo could not be read just now. Choose it again.';

async function readLogo(file: File): Promise<string> {
  if (file.size > MAX_LOGO_FILE_BYTES) throw new Error(LOGO_TOO_LARGE);
  const session = (await clients().auth.getSession()).data.session;
  const response = await fetch(href('/brand/:file', { file: 'logo' }), {
    method: 'POST',
    headers: { authorization: `Bearer ${session?.access_token}`, 'content-type': 'application/octet-stream' },
    body: file,
  }).catch(() => null);
  const answer = (await response?.json().catch(() => null)) as { logo?: string; problem?: string } | null;
  if (!answer?.logo) throw new Error(answer?.problem ?? UNREADABLE);
  return answer.logo;
}
