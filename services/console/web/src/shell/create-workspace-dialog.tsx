import { useQueryClient } from '@tanstack/react-query'
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
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const create = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setError(undefined)
    try {
      const { workspace_id } = await createApiClient(undefined).system.createWorkspace({ body: { name: name.trim() } })
      await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey })
      onClose()
      setName('')
      await navigate({ href: `/${workspace_id}` })
    } catch (failure) {
      setError(failure)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title="Create a workspace"
      description="A workspace has its own data, members, keys and bill."
    >
      <form onSubmit={create} style={{ display: 'grid', gap: 'var(--space-4)' }}>
        <Field label="Name">
          <Input value={name} required maxLength={100} onChange={(event) => setName(event.target.value)} />
        </Field>
        {error !== undefined && <ErrorMessage error={error} />}
        <FormActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isBusy={isBusy}>
            Create workspace
          </Button>
        </FormActions>
      </form>
    </Dialog>
  )
}
