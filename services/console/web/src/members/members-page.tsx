import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { changeSearch } from '../api/search-params.ts'
import { useApi, useCan, useWorkspaceId } from '../session/workspace-context.tsx'
import { Button } from '../ui/button/button.tsx'
import { Icon } from '../ui/button/icon.tsx'
import { FilterBar, SelectFilter, TextFilter } from '../ui/form/filter-bar.tsx'
import { EmptyState } from '../ui/message/empty-state.tsx'
import { Card, Page } from '../ui/page/page.tsx'
import { Pager } from '../ui/table/pager.tsx'
import { ChangeRoleDialog } from './change-role-dialog.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { MemberTable } from './member-table.tsx'
import { MemberTabs } from './member-tabs.tsx'
import { PendingInvitations } from './pending-invitations.tsx'
import { type Member, useRoles } from './queries.ts'
import { RemoveMemberDialog } from './remove-member-dialog.tsx'

const route = getRouteApi('/$workspaceId/members')

/** The members of the workspace and the pending invitations. */
export function MembersPage() {
  const search = route.useSearch()
  const { invite: isInviting = false, ...filters } = search
  const navigate = route.useNavigate()
  const api = useApi()
  const workspaceId = useWorkspaceId()
  const canChange = useCan()('auth:admin')
  const { data: roles } = useRoles()
  const [changing, setChanging] = useState<Member>()
  const [removing, setRemoving] = useState<Member>()
  const page = useQuery({
    queryKey: [workspaceId, 'members', 'active', filters],
    queryFn: ({ signal }) => api.auth.listUsers({ query: { ...filters, status: 'active' } }, { signal }),
  })
  const setFilter = (change: { role?: string | undefined; email?: string | undefined }) =>
    void navigate({ search: changeSearch(search, { cursor: undefined, ...change }), replace: true })
  const setInviting = (invite: true | undefined) => void navigate({ search: changeSearch(search, { invite }) })
  const isFiltered = filters.role !== undefined || filters.email !== undefined
  const actions = canChange ? { onChangeRole: setChanging, onRemove: setRemoving } : {}
  return (
    <Page
      title="Members"
      description="Who may work in this workspace, and with which role."
      actions={
        <Button
          variant="primary"
          disabled={!canChange}
          title={canChange ? undefined : 'Needs the scope auth:admin'}
          onClick={() => setInviting(true)}
        >
          <Icon name="plus" size={16} />
          Invite member
        </Button>
      }
    >
      <MemberTabs />
      <Card isFlush>
        <FilterBar onClear={isFiltered ? () => setFilter({ role: undefined, email: undefined }) : undefined}>
          <TextFilter
            label="Email"
            placeholder="The whole address"
            value={filters.email}
            onChange={(email) => setFilter({ email })}
          />
          <SelectFilter
            label="Role"
            value={filters.role}
            options={roles?.map(({ name }) => ({ value: name, label: name })) ?? []}
            onChange={(role) => setFilter({ role })}
          />
        </FilterBar>
        <MemberTable
          label="Members"
          rows={page.data?.items}
          error={page.error}
          onRetry={() => void page.refetch()}
          {...actions}
          empty={<EmptyState icon="people" title="No member matches the filters" />}
          footer={
            page.data && (
              <Pager
                cursor={filters.cursor}
                nextCursor={page.data.nextCursor}
                shown={page.data.items.length}
                noun="members"
              />
            )
          }
        />
      </Card>
      {/* After the table, whose height is not known before. */}
      {page.data && <PendingInvitations {...actions} />}
      <InviteDialog isOpen={isInviting} onClose={() => setInviting(undefined)} />
      <ChangeRoleDialog user={changing} onClose={() => setChanging(undefined)} />
      {removing && <RemoveMemberDialog user={removing} onClose={() => setRemoving(undefined)} />}
    </Page>
  )
}
