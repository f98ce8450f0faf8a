import { getRouteApi, useNavigate } from '@tanstack/react-router'
import type { builtInRoles } from '@wp/contracts'
import { useState } from 'react'
import { ScopeList } from '../../scopes/scope-picker.tsx'
import { useApiQuery, useCan, useWorkspace } from '../../session/workspace-context.tsx'
import { Button } from '../../ui/button/button.tsx'
import { ButtonLink } from '../../ui/button/button-link.tsx'
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { formatCount } from '../../ui/format/format.ts'
import { showSuccess } from '../../ui/message/toast.ts'
import { Card, Page, UnloadedPage } from '../../ui/page/page.tsx'
import { Badge, DefinitionList, Id, Time } from '../../ui/values/values.tsx'
import { describeRoleUsage, useRoleUsage } from '../queries.ts'
import { RoleForm, type RoleValues } from './role-form.tsx'

const route = getRouteApi('/$workspaceId/members/roles/$roleId')

type RoleId = keyof typeof builtInRoles | `role_${string}`

/** One role: what it allows, who has it, change and deletion. */
export function RolePage() {
  const { roleId } = route.useParams()
  const { api, workspaceId, refresh } = useWorkspace()
  const canChange = useCan()('auth:admin')
  const navigate = useNavigate()
  const [dialog, setDialog] = useState<'edit' | 'delete'>()
  const { data: usage } = useRoleUsage()
  const params = { role_id: roleId as RoleId } // the API answers 404 for other texts
  const { data, error, refetch } = useApiQuery(['roles', roleId], (api, options) =>
    api.auth.getRole({ params }, options),
  )
  const parent = { label: 'Roles', link: { to: '/$workspaceId/members/roles', params: { workspaceId } } } as const
  if (data === undefined) return <UnloadedPage title="Role" parent={parent} error={error} refetch={refetch} />
  const close = () => setDialog(undefined)
  const update = async (body: RoleValues) => {
    await api.auth.updateRole({ params, body })
    await refresh()
    showSuccess(`Changed the role ${body.name}`)
    close()
  }
  const remove = async () => {
    await api.auth.deleteRole({ params })
    await navigate(parent.link)
    await refresh('roles')
    showSuccess(`Deleted the role ${data.name}`)
  }
  const memberCount = usage?.counts.get(data.name) ?? 0
  return (
    <Page
      title={data.name}
      status={data.built_in ? <Badge>built-in</Badge> : <Badge tone="accent">custom</Badge>}
      description={data.description}
      parent={parent}
      actions={
        canChange &&
        !data.built_in && (
          <>
            <Button onClick={() => setDialog('delete')}>Delete</Button>
            <Button variant="primary" onClick={() => setDialog('edit')}>
              Edit role
            </Button>
          </>
        )
      }
    >
      <Card
        title="Use"
        actions={
          <ButtonLink to="/$workspaceId/members" search={{ role: data.name }} size="small">
            Show members
          </ButtonLink>
        }
      >
        <DefinitionList
          items={[
            ['Members and invited', describeRoleUsage(usage, data.name)],
            ['Id', <Id key="id" value={data.role_id} />],
            data.updated_at !== null && ['Changed', <Time key="changed" value={data.updated_at} />],
          ]}
        />
      </Card>
      <Card title="Scopes" description={formatCount(data.scopes.length, 'scope')}>
        <ScopeList scopes={data.scopes} />
      </Card>
      <Dialog
        isOpen={dialog === 'edit'}
        onClose={close}
        size="wide"
        title={`Edit ${data.name}`}
        description={`The change applies to ${formatCount(memberCount, 'member')} within a second.`}
      >
        <RoleForm values={data} submitLabel="Save changes" onSubmit={update} onCancel={close} />
      </Dialog>
      <ConfirmDialog
        isOpen={dialog === 'delete'}
        onClose={close}
        title={`Delete the role ${data.name}`}
        confirmLabel="Delete role"
        onConfirm={remove}
      >
        {memberCount > 0
          ? `${formatCount(memberCount, 'member')} have this role. Give them another role first: a role in use cannot be deleted.`
          : 'No one has this role. This cannot be undone.'}
      </ConfirmDialog>
    </Page>
  )
}
