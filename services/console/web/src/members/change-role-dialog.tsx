import { useQueryClient } from '@tanstack/react-query'
import { UserPatch } from '@wp/contracts'
import { useApi, useWorkspaceId } from '../session/workspace-context.tsx'
import { Dialog } from '../ui/dialog/dialog.tsx'
import { Form } from '../ui/form/form.tsx'
import { FormField } from '../ui/form/form-field.tsx'
import { useApiForm } from '../ui/form/use-api-form.ts'
import { isolate } from '../ui/format/isolate.ts'
import { showSuccess } from '../ui/message/toast.ts'
import type { Member } from './queries.ts'
import { RoleSelect } from './role-select.tsx'
import { RoleSummary } from './role-summary.tsx'

/** Assigns another role to a member or an invited user. Open while there is a user. */
export const ChangeRoleDialog = ({ user, onClose }: { user: Member | undefined; onClose: () => void }) => (
  <Dialog
    isOpen={user !== undefined}
    onClose={onClose}
    title={`Change the role of ${user?.name ?? user?.email ?? ''}`}
    description="The new role applies within a second, also to open sessions."
  >
    {user && <ChangeRoleForm user={user} onClose={onClose} />}
  </Dialog>
)

function ChangeRoleForm({ user, onClose }: { user: Member; onClose: () => void }) {
  const api = useApi()
  const workspaceId = useWorkspaceId()
  const queryClient = useQueryClient()
  const { form, ...state } = useApiForm({
    schema: UserPatch.required(),
    defaultValues: { role: user.role },
    fieldOfCode: {
      scope_escalation: 'role',
      owner_required: 'role',
      last_owner: 'role',
      unknown_reference: 'role',
    },
    onSubmit: async (body) => {
      const { role } = await api.auth.updateUser({ params: { user_id: user.user_id }, body })
      await queryClient.invalidateQueries({ queryKey: [workspaceId] })
      showSuccess(`${isolate(user.name ?? user.email)} is now ${role}`)
      onClose()
    },
  })
  return (
    <Form {...state} submitLabel="Change role" onCancel={onClose}>
      <FormField form={form} name="role" label="Role">
        <RoleSelect current={user.role} />
      </FormField>
      <RoleSummary name={form.watch('role')} />
    </Form>
  )
}
