import { href, Link } from 'react-router';
import { Button } from '../../../ui/form/button.tsx';
import { Icon } from '../../../ui/icon.tsx';

export const EditOrDelete = ({
  project: { id, title },
  onDelete,
}: {
  project: { id: string; title: string };
  onDelete: () => void;
}) => (
  <>
    <Link
      className="icon-button"
      to={href('/admin/projects/:id/edit', { id })}
      aria-label={`Edit ${title}`}
      data-key="e"
    >
      <Icon name="edit" />
    </Link>
    <Button
      variant="quiet"
      size="admin"
      className="icon-button icon-button-danger"
      aria-label={`Delete ${title}`}
      onClick={onDelete}
    >
      <Icon name="trash" />
    </Button>
  </>
);
