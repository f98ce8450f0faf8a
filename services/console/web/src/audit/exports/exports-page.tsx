import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import type { AuditDoc, NewAuditDoc } from '@wp/contracts'
import type { z } from 'zod'
import { changeSearch } from '../../api/search-params.ts'
import { useApi, useCan, useWorkspaceId } from '../../session/workspace-context.tsx'
import { Button } from '../../ui/button/button.tsx'
import { Icon } from '../../ui/button/icon.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { FilterBar, SelectFilter } from '../../ui/form/filter-bar.tsx'
import { Card, Page } from '../../ui/page/page.tsx'
import { AuditTabs } from '../audit-tabs.tsx'
import { exportStates, isUnfinished } from '../states.ts'
import { ExportForm } from './export-form.tsx'
import { ExportTable } from './export-table.tsx'

const route = getRouteApi('/$workspaceId/audit/exports')
const pollMs = 1_500

/** The compliance exports of the audit log. */
export function ExportsPage() {
  const search = route.useSearch()
  const { create: isCreating = false, cursor, status, ...filters } = search
  const navigate = route.useNavigate()
  const goTo = useNavigate()
  const api = useApi()
  const workspaceId = useWorkspaceId()
  const canExport = useCan()('audit:export')
  const queryClient = useQueryClient()
  const page = useQuery({
    queryKey: [workspaceId, 'audit', 'exports', { cursor, status }],
    queryFn: ({ signal }) =>
      api.audit.listDocs({ query: { ...(cursor && { cursor }), ...(status && { status }) } }, { signal }),
    refetchInterval: ({ state }) => (state.data?.items.some(isUnfinished) ? pollMs : false),
  })
  const openForm = () => void navigate({ search: changeSearch(search, { create: true }) })
  const closeForm = () => navigate({ search: { ...(cursor && { cursor }), ...(status && { status }) } })
  const start = async (body: z.infer<typeof NewAuditDoc>) => {
    const created: z.infer<typeof AuditDoc> = await api.audit.startDoc({ body })
    await queryClient.invalidateQueries({ queryKey: [workspaceId, 'audit', 'exports'] })
    await goTo({ to: '/$workspaceId/audit/exports/$docId', params: { workspaceId, docId: created.id } })
  }
  return (
    <Page
      title="Audit log"
      description="Files with the records of a time range, for auditors and for other systems."
      actions={
        <Button
          variant="primary"
          disabled={!canExport}
          title={canExport ? undefined : 'Needs the scope audit:export'}
          onClick={openForm}
        >
          <Icon name="plus" size={16} />
          Start export
        </Button>
      }
    >
      <AuditTabs />
      <Card isFlush>
        <FilterBar>
          <SelectFilter
            label="Status"
            value={status}
            options={exportStates}
            onChange={(value) =>
              void navigate({
                search: changeSearch(search, {
                  status: exportStates.find((state) => state === value),
                  cursor: undefined,
                }),
              })
            }
          />
        </FilterBar>
        <ExportTable page={page} cursor={cursor} isFiltered={status !== undefined} />
      </Card>
      <Dialog
        isOpen={isCreating}
        onClose={() => void closeForm()}
        size="wide"
        title="Start an export"
        description="The file has the records of a time range, in the order of the chain."
      >
        <ExportForm filters={filters} onSubmit={start} onCancel={() => void closeForm()} />
      </Dialog>
    </Page>
  )
}
