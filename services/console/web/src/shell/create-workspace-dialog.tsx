import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { createApiClient } from '../api/api-client.ts'
import { sessionQuery } from '../session/session.ts'
import { Button } from '../ui/button/button.tsx'
import { Dialog } from '../ui/dialog/dialog.tsx'
import { Input } from '../ui/form/controls.tsx'
import { Field, FormActions } from '../ui/form/field.tsx'
import { ErrorMessage } from '../ui/message/message.tsx'

/** Creates a workspace and opens it. */
export function CreateWorkspaceDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const [name, setName] = useState('')
  const create = useMutation({
    mutationFn: async () => {
      const { workspace_id } = await createApiClient(undefined).system.createWorkspace({ body: { name: name.trim() } })
      await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey })
      onClose()
      setName('')
      await navigate({ href: `/${workspace_id}` })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate()
  }
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title="Create a workspace"
      description="A workspace has its own data, members, keys and bill."
    >
      <form onSubmit={submit} style={{ display: 'grid', gap: 'var(--space-4)' }}>
        <Field label="Name">
          <Input value={name} required maxLength={100} onChange={(event) => setName(event.target.value)} />
        </Field>
        {create.error && <ErrorMessage error={create.error} />}
        <FormActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isBusy={create.isPending}>
            Create workspace
          </Button>
        </FormActions>
      </form>
    </Dialog>
  )
}
