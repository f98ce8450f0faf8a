import { getRouteApi } from '@tanstack/react-router'
import { isNotFound } from '../api/describe-error.ts'
import { changeSearch } from '../api/search-params.ts'
import { ScopedButton } from '../session/missing-scope-notice.tsx'
import { useApiQuery, useCan, useWorkspace } from '../session/workspace-context.tsx'
import { ListPage } from '../shell/list-page.tsx'
import { Dialog } from '../ui/dialog/dialog.tsx'
import { FormError } from '../ui/form/use-api-form.ts'
import { showSuccess } from '../ui/message/toast.ts'
import { VariableForm, type VariableValues } from './variable-form.tsx'
import { VariableTable } from './variable-table.tsx'

const route = getRouteApi('/$workspaceId/variables')

/** The variables of the workspace. */
export function VariablesPage() {
  const search = route.useSearch()
  const { create: isCreating = false, cursor, kind, search: text } = search
  const navigate = route.useNavigate()
  const { api, refresh } = useWorkspace()
  const canWrite = useCan()('workspace:write')
  const query = {
    cursor,
    search: text,
    ...(kind !== undefined && { secret: kind === 'secret' ? ('true' as const) : ('false' as const) }),
  }
  const page = useApiQuery(['variables', query], (api, options) => api.system.listVariables({ query }, options))
  const setCreating = (create: true | undefined) => void navigate({ search: changeSearch(search, { create }) })
  const isFiltered = kind !== undefined || text !== undefined
  const create = async (body: VariableValues) => {
    // The endpoint would replace a variable of the same name.
    const isFree = await api.system.getVariable({ params: { name: body.name } }).then(() => false, isNotFound)
    if (!isFree) throw new FormError('name', 'A variable of this name exists. Open it to change its value.')
    await api.system.putVariable({ body })
    await refresh('variables')
    showSuccess(`Created ${body.name}`)
    setCreating(undefined)
  }
  return (
    <ListPage
      title="Variables"
      description="Values that agents and your own programs read by name."
      actions={
        <ScopedButton scope="workspace:write" icon="plus" variant="primary" onClick={() => setCreating(true)}>
          Create variable
        </ScopedButton>
      }
      filters={[
        { name: 'search', label: 'Search', placeholder: 'Part of the name', isSearch: true },
        { name: 'kind', label: 'Kind', options: ['plain', 'secret'] },
      ]}
      after={
        <Dialog isOpen={isCreating} onClose={() => setCreating(undefined)} title="Create a variable">
          <VariableForm submitLabel="Create variable" onSubmit={create} onCancel={() => setCreating(undefined)} />
        </Dialog>
      }
    >
      <VariableTable page={page} isFiltered={isFiltered} {...(canWrite && { onCreate: () => setCreating(true) })} />
    </ListPage>
  )
}
