import { NewUser } from '@wp/contracts'
import { useWorkspace } from '../session/workspace-context.tsx'
import { Dialog } from '../ui/dialog/dialog.tsx'
import { Input } from '../ui/form/controls.tsx'
import { Form, FormField } from '../ui/form/form.tsx'
import { useApiForm } from '../ui/form/use-api-form.ts'
import { showSuccess } from '../ui/message/toast.ts'
import { RoleSelect, RoleSummary } from './role-select.tsx'

/** Invites a user by mail. */
export const InviteDialog = ({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) => (
  <Dialog
    isOpen={isOpen}
    onClose={onClose}
    title="Invite a member"
    description="We mail a link that works for seven days. The membership begins when it is accepted."
  >
    <InviteForm onClose={onClose} />
  </Dialog>
)

function InviteForm({ onClose }: { onClose: () => void }) {
  const { api, refresh } = useWorkspace()
  const { form, ...state } = useApiForm({
    schema: NewUser,
    defaultValues: { email: '', role: 'member' },
    fieldOfCode: {
      already_member: 'email',
      rate_limited: 'email',
      scope_escalation: 'role',
      owner_required: 'role',
      unknown_reference: 'role',
    },
    onSubmit: async (body) => {
      const { email } = await api.auth.inviteUser({ body })
      await refresh('members')
      showSuccess(`Invited ${email}`)
      onClose()
    },
  })
  return (
    <Form {...state} submitLabel="Send invitation" onCancel={onClose}>
      <FormField form={form} name="email" label="Email">
        <Input type="email" autoComplete="off" autoFocus placeholder="colleague@example.com" />
      </FormField>
      <FormField form={form} name="role" label="Role">
        <RoleSelect current="member" />
      </FormField>
      <RoleSummary name={form.watch('role')} />
    </Form>
  )
}
