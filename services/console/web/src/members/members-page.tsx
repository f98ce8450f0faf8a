import { getRouteApi } from '@tanstack/react-router'
import { NewUser, UserPatch } from '@wp/contracts'
import { useState } from 'react'
import { changeSearch } from '../api/search-params.ts'
import { ScopedButton } from '../session/missing-scope-notice.tsx'
import { useApiQuery, useCan, useWorkspace } from '../session/workspace-context.tsx'
import { ListPage } from '../shell/list-page.tsx'
import { Dialog } from '../ui/dialog/dialog.tsx'
import { Input } from '../ui/form/controls.tsx'
import { Form, FormField } from '../ui/form/form.tsx'
import { useApiForm } from '../ui/form/use-api-form.ts'
import { isolate } from '../ui/format/untrusted-text.ts'
import { EmptyState } from '../ui/message/message.tsx'
import { showSuccess } from '../ui/message/toast.ts'
import { Pager } from '../ui/table/pager.tsx'
import { MemberTable } from './member-table.tsx'
import { PendingInvitations } from './pending-invitations.tsx'
import { type Member, useRoles } from './queries.ts'
import { RemoveMemberDialog } from './remove-member-dialog.tsx'
import { RoleSelect, RoleSummary } from './role-select.tsx'

const route = getRouteApi('/$workspaceId/members')

/** The members of the workspace and the pending invitations. */
export function MembersPage() {
  const parameters = route.useSearch()
  const { invite: isInviting = false, ...filters } = parameters
  const navigate = route.useNavigate()
  const canChange = useCan()('auth:admin')
  const { data: roles } = useRoles()
  const [changing, setChanging] = useState<Member>()
  const [removing, setRemoving] = useState<Member>()
  const page = useApiQuery(['members', 'active', filters], (api, options) =>
    api.auth.listUsers({ query: { ...filters, status: 'active' } }, options),
  )
  const setInviting = (invite: true | undefined) => void navigate({ search: changeSearch(parameters, { invite }) })
  const actions = canChange ? { onChangeRole: setChanging, onRemove: setRemoving } : {}
  return (
    <ListPage
      title="Members"
      description="Who may work in this workspace, and with which role."
      actions={
        <ScopedButton scope="auth:admin" icon="plus" variant="primary" onClick={() => setInviting(true)}>
          Invite member
        </ScopedButton>
      }
      filters={[
        { name: 'search', label: 'Search members', placeholder: 'Name or email', isSearch: true },
        { name: 'role', label: 'Role', options: roles?.map(({ name }) => ({ value: name, label: name })) ?? [] },
      ]}
      after={
        <>
          {/* After the table, whose height is not known before. */}
          {page.data && <PendingInvitations {...actions} />}
          <InviteDialog isOpen={isInviting} onClose={() => setInviting(undefined)} />
          <ChangeRoleDialog user={changing} onClose={() => setChanging(undefined)} />
          {removing && <RemoveMemberDialog user={removing} onClose={() => setRemoving(undefined)} />}
        </>
      }
    >
      <MemberTable
        label="Members"
        rows={page.data?.items}
        error={page.error}
        onRetry={() => void page.refetch()}
        {...actions}
        empty={<EmptyState icon="people" title="No member matches the filters" />}
        footer={page.data && <Pager nextCursor={page.data.nextCursor} shown={page.data.items.length} noun="members" />}
      />
    </ListPage>
  )
}

/** Assigns another role to a member or an invited user. Open while there is a user. */
const ChangeRoleDialog = ({ user, onClose }: { user: Member | undefined; onClose: () => void }) => (
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
  const { api, refresh } = useWorkspace()
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
      await refresh()
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

/** Invites a user by mail. */
const InviteDialog = ({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) => (
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
