import { getRouteApi } from '@tanstack/react-router'
import { Fragment } from 'react'
import { changeSearch } from '../../api/search-params.ts'
import { groupScopes, labelOfScope } from '../../scopes/scope-groups.ts'
import { ScopedButton } from '../../session/missing-scope-notice.tsx'
import { useWorkspace } from '../../session/workspace-context.tsx'
import { Icon } from '../../ui/button/button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { showSuccess } from '../../ui/message/toast.ts'
import { Card, Page } from '../../ui/page/page.tsx'
import { type Column, DataTable } from '../../ui/table/data-table.tsx'
import { Badge, Time } from '../../ui/values/values.tsx'
import { describeRoleUsage, type RoleView, useRoles, useRoleUsage } from '../queries.ts'
import { RoleForm, type RoleValues } from './role-form.tsx'
import styles from './role-matrix.module.css'

const route = getRouteApi('/$workspaceId/members/roles')

/** The built-in and custom roles, and what each allows. */
export function RolesPage() {
  const search = route.useSearch()
  const { create: isCreating = false } = search
  const navigate = route.useNavigate()
  const { api, refresh } = useWorkspace()
  const { data: roles, error, refetch } = useRoles()
  const { data: usage } = useRoleUsage()
  const setCreating = (create: true | undefined) => void navigate({ search: changeSearch(search, { create }) })
  const create = async (body: RoleValues) => {
    const { name } = await api.auth.createRole({ body })
    await refresh('roles')
    showSuccess(`Created the role ${name}`)
    setCreating(undefined)
  }
  const columns: Column<RoleView>[] = [
    { header: 'Name', cell: ({ name }) => name },
    {
      header: 'Kind',
      cell: ({ built_in }) => (built_in ? <Badge>built-in</Badge> : <Badge tone="accent">custom</Badge>),
    },
    { header: 'Description', cell: ({ description, name }) => description ?? builtInDescriptions[name] ?? '–' },
    { header: 'Members', align: 'end', cell: ({ name }) => describeRoleUsage(usage, name) },
    { header: 'Scopes', align: 'end', cell: ({ scopes }) => scopes.length },
    { header: 'Changed', cell: ({ updated_at }) => <Time value={updated_at} /> },
  ]
  return (
    <Page
      title="Roles"
      description="A role says what its members may do. Changes apply to its members within a second."
      actions={
        <ScopedButton scope="auth:admin" icon="plus" variant="primary" onClick={() => setCreating(true)}>
          Create role
        </ScopedButton>
      }
    >
      <Card isFlush>
        <DataTable
          label="Roles"
          columns={columns}
          rows={roles}
          rowKey={({ role_id }) => role_id}
          rowLink={({ role_id }) => ({
            to: '/$workspaceId/members/roles/$roleId',
            params: { roleId: role_id },
          })}
          error={error}
          onRetry={() => void refetch()}
          empty={null}
        />
      </Card>
      {roles && (
        <Card title="Comparison" description="What the members of each role may do" isFlush>
          <RoleMatrix roles={roles} />
        </Card>
      )}
      <Dialog isOpen={isCreating} onClose={() => setCreating(undefined)} size="wide" title="Create a role">
        <RoleForm submitLabel="Create role" onSubmit={create} onCancel={() => setCreating(undefined)} />
      </Dialog>
    </Page>
  )
}

const builtInDescriptions: Readonly<Record<string, string>> = {
  owner: 'Everything, with billing and the deletion of the workspace',
  admin: 'Everything but changes of billing',
  member: 'Reads everything, uploads data, runs agents and forecasts',
  viewer: 'Reads everything',
}

/** A table of scopes by roles. */
const RoleMatrix = ({ roles }: { roles: readonly RoleView[] }) => (
  <section className={styles.wrap} aria-label="Scopes by role" tabIndex={0}>
    <table className={styles.matrix}>
      <thead>
        <tr>
          <th scope="col">Permission</th>
          {roles.map(({ role_id, name }) => (
            <th key={role_id} scope="col" className={styles.role}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {groupScopes().map((group) => (
          <Fragment key={group.name}>
            {group.scopes.map((scope) => (
              <tr key={scope}>
                <th scope="row">
                  {group.label}: {labelOfScope(scope)} <code className={styles.code}>{scope}</code>
                </th>
                {roles.map(({ role_id, scopes }) => (
                  <td key={role_id}>
                    {scopes.includes(scope) ? (
                      <>
                        <Icon name="check" size={16} className={styles.yes} />
                        <span className="visually-hidden">yes</span>
                      </>
                    ) : (
                      <span className="visually-hidden">no</span>
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </Fragment>
        ))}
      </tbody>
    </table>
  </section>
)
