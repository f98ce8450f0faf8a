import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useCan, useWorkspace } from '../../../session/workspace-context.tsx'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { ActionMenu } from '../../../ui/menu/menu.tsx'
import { showSuccess } from '../../../ui/message/toast.ts'
import { Stack } from '../../../ui/page/page.tsx'
import type { Space } from '../space-words.ts'
import { SpaceDrawer } from './space-form.tsx'

/** The menu of a space: edit, add inside, delete. Nothing for those who may not. */
export function SpaceActions({ space }: { space: Space }) {
  const [open, setOpen] = useState<'edit' | 'add' | 'delete'>()
  const { api, workspaceId, refresh } = useWorkspace()
  const navigate = useNavigate()
  if (!useCan()('solutions:write')) return null
  const close = () => setOpen(undefined)
  const remove = async () => {
    await api.solutions.deleteSpace({ params: { id: space.id } })
    showSuccess(`Deleted ${space.name}`)
    await navigate({ to: '/$workspaceId/buildings', params: { workspaceId }, search: {} })
    await Promise.all([refresh('spaces'), refresh('utilization')])
  }
  return (
    <>
      <ActionMenu
        label={`Actions of ${space.name}`}
        entries={[
          { label: 'Edit', icon: 'pencil', onSelect: () => setOpen('edit') },
          space.kind !== 'room' && { label: 'Add a space in it', icon: 'plus', onSelect: () => setOpen('add') },
          'separator',
          { label: 'Delete', icon: 'trash', isDangerous: true, onSelect: () => setOpen('delete') },
        ]}
      />
      <SpaceDrawer isOpen={open === 'edit'} space={space} onDone={close} />
      <SpaceDrawer isOpen={open === 'add'} parent={space} onDone={close} />
      <ConfirmDialog
        isOpen={open === 'delete'}
        onClose={close}
        title={`Delete ${space.name}`}
        confirmLabel={`Delete ${space.kind}`}
        onConfirm={remove}
      >
        <Stack>
          <p>
            Its figures are lost, and its daily plan ends. Rows of your files that name it are no longer counted, here
            or in the spaces around it, until they are assigned to another space. Your files stay. This cannot be
            undone.
          </p>
          <p>What lies in it must be moved or deleted first.</p>
        </Stack>
      </ConfirmDialog>
    </>
  )
}
