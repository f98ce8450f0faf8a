import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { z } from 'zod'
import { createApiClient } from '../api/api-client.ts'
import { sessionQuery } from '../session/session.ts'
import { Dialog } from '../ui/dialog/dialog.tsx'
import { Input } from '../ui/form/controls.tsx'
import { Form, FormField } from '../ui/form/form.tsx'
import { useApiForm } from '../ui/form/use-api-form.ts'

/** Creates a workspace and opens it. */
export function CreateWorkspaceDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const { form, reset, ...state } = useApiForm({
    schema: z.object({ name: z.string().trim().min(1, 'is required') }),
    defaultValues: { name: '' },
    onSubmit: async (body) => {
      const { workspace_id } = await createApiClient(undefined).system.createWorkspace({ body })
      await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey })
      onClose()
      reset()
      await navigate({ href: `/${workspace_id}` })
    },
  })
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title="Create a workspace"
      description="A workspace has its own data, members, keys and bill."
    >
      <Form {...state} submitLabel="Create workspace" onCancel={onClose}>
        <FormField form={form} name="name" label="Name">
          <Input maxLength={100} />
        </FormField>
      </Form>
    </Dialog>
  )
}
