import { Button } from '../../ui/button/button.tsx'
import { CodeBlock } from '../../ui/data/code-block.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'

/** Shows the stored secret of a subscription. It can be revealed again, so the dialog closes as others do. */
export const RevealedSecretDialog = ({ secret, onClose }: { secret: string | null; onClose: () => void }) => (
  <Dialog
    isOpen
    onClose={onClose}
    title="Signing secret"
    description="Revealing it was recorded in the audit log."
    footer={
      <Button variant="primary" onClick={onClose}>
        Close
      </Button>
    }
  >
    {secret === null ? <p>The subscription has no secret.</p> : <CodeBlock code={secret} label="Signing secret" wrap />}
  </Dialog>
)
