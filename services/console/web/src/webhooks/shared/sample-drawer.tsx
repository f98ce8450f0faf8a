import { useWorkspaceId } from '../../session/workspace-context.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Stack } from '../../ui/page/page.tsx'
import { JsonView } from '../../ui/values/code-block.tsx'
import { type EventKindView, sampleBody } from './event-kinds.ts'

/** The body of a delivery of an event kind, with made values. */
export function SampleDrawer({ kind, onClose }: { kind: EventKindView; onClose: () => void }) {
  const workspaceId = useWorkspaceId()
  return (
    <Dialog isOpen onClose={onClose} size="drawer" title={kind.kind} description={kind.summary}>
      <Stack>
        <JsonView value={sampleBody(kind, workspaceId)} label="Body of a delivery" />
        <p>
          The payload always has id, status and occurred_at. New fields may be added: ignore those that you do not know.
        </p>
      </Stack>
    </Dialog>
  )
}
