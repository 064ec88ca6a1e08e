import { signOut } from '#session/current-user.ts';
import { Button } from '#ui/form/button.tsx';

export const AnotherAccount = () => (
  <div className="work-links">
    <Button
      variant="quiet"
      onClick={() => void signOut().catch((error: unknown) => console.warn('Signing out failed', error))}
    >
      Sign out and use another account
    </Button>
  </div>
);
