import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { type AuditDoc, type AuditDocFilters, auditDocFormats, auditOutcomes, NewAuditDoc } from '@wp/contracts'
import { Controller } from 'react-hook-form'
import type { z } from 'zod'
import { changeSearch } from '../../api/search-params.ts'
import { ScopedButton } from '../../session/missing-scope-notice.tsx'
import { useApiQuery, useWorkspace } from '../../session/workspace-context.tsx'
import { ListPage } from '../../shell/list-page.tsx'
import { DateTimeInput } from '../../ui/date/date-input.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Input, Radio, Select } from '../../ui/form/controls.tsx'
import { Field, FieldGroup, FieldRow } from '../../ui/form/field.tsx'
import { errorOf, Form, FormField } from '../../ui/form/form.tsx'
import { useApiForm } from '../../ui/form/use-api-form.ts'
import { exportStates, formatHints, formatNames, isUnfinished } from '../audit-words.ts'
import { ExportTable } from './export-table.tsx'

const route = getRouteApi('/$workspaceId/audit/exports')
const pollMs = 1_500

/** The compliance exports of the audit log. */
export function ExportsPage() {
  const search = route.useSearch()
  const { create: isCreating = false, cursor, status, ...filters } = search
  const navigate = route.useNavigate()
  const goTo = useNavigate()
  const { api, workspaceId, refresh } = useWorkspace()
  const page = useApiQuery(
    ['audit', 'exports', { cursor, status }],
    (api, options) => api.audit.listDocs({ query: { cursor, status } }, options),
    { refetchInterval: ({ state }) => (state.data?.items.some(isUnfinished) ? pollMs : false) },
  )
  const openForm = () => void navigate({ search: changeSearch(search, { create: true }) })
  const closeForm = () => navigate({ search: { ...(cursor && { cursor }), ...(status && { status }) } })
  const start = async (body: z.infer<typeof NewAuditDoc>) => {
    const created: z.infer<typeof AuditDoc> = await api.audit.startDoc({ body })
    await refresh('audit', 'exports')
    await goTo({ to: '/$workspaceId/audit/exports/$docId', params: { workspaceId, docId: created.id } })
  }
  return (
    <ListPage
      title="Audit log"
      area="Audit log"
      description="Files with the records of a time range, for auditors and for other systems."
      actions={
        <ScopedButton scope="audit:export" icon="plus" variant="primary" onClick={openForm}>
          Start export
        </ScopedButton>
      }
      filters={[{ name: 'status', label: 'Status', options: exportStates }]}
      after={
        <Dialog
          isOpen={isCreating}
          onClose={() => void closeForm()}
          size="wide"
          title="Start an export"
          description="The file has the records of a time range, in the order of the chain."
        >
          <ExportForm filters={filters} onSubmit={start} onCancel={() => void closeForm()} />
        </Dialog>
      }
    >
      <ExportTable page={page} isFiltered={status !== undefined} />
    </ListPage>
  )
}

type Filters = z.infer<typeof AuditDocFilters>

const defaultDays = 30
const dayMs = 86_400_000
const minuteMs = 60_000

/** Returns the next whole minute, so that the default range includes what has just happened. */
const nextMinute = (now: number): number => Math.ceil(now / minuteMs) * minuteMs

/** The form of a new export. Filters of the list that led here are filled in. */
function ExportForm({
  filters: { since, until, ...filters },
  onSubmit,
  onCancel,
}: {
  filters: Filters & { since?: string; until?: string }
  onSubmit: (body: z.infer<typeof NewAuditDoc>) => Promise<unknown>
  onCancel: () => void
}) {
  const { form, ...state } = useApiForm({
    schema: NewAuditDoc,
    defaultValues: {
      format: 'csv',
      from: since ?? new Date(nextMinute(Date.now()) - defaultDays * dayMs).toISOString(),
      to: until ?? new Date(nextMinute(Date.now())).toISOString(),
      filters: { actor: undefined, action: undefined, target: undefined, outcome: undefined, ...filters },
    },
    onSubmit,
  })
  return (
    <Form {...state} submitLabel="Start export" onCancel={onCancel}>
      <FieldGroup label="Format" error={errorOf(form, 'format')}>
        {auditDocFormats.map((format) => (
          <Radio
            key={format}
            value={format}
            label={formatNames[format]}
            hint={formatHints[format]}
            {...form.register('format')}
          />
        ))}
      </FieldGroup>
      <FieldRow>
        {(['from', 'to'] as const).map((name) => (
          <Controller
            key={name}
            control={form.control}
            name={name}
            render={({ field: { value, onChange } }) => (
              <Field label={name === 'from' ? 'From' : 'Before'} error={errorOf(form, name)}>
                <DateTimeInput value={value} onChange={(next) => onChange(next ?? '')} />
              </Field>
            )}
          />
        ))}
      </FieldRow>
      <FieldRow>
        <FormField form={form} name="filters.action" label="Action" isOptional empty="omit">
          <Input isMono placeholder="api_key.created" />
        </FormField>
        <FormField form={form} name="filters.outcome" label="Outcome" isOptional empty="omit">
          <Select options={[{ value: '', label: 'All' }, ...auditOutcomes.map((value) => ({ value, label: value }))]} />
        </FormField>
      </FieldRow>
      <FieldRow>
        <FormField form={form} name="filters.actor" label="Actor" isOptional empty="omit">
          <Input isMono placeholder="usr_… or sp_…" />
        </FormField>
        <FormField form={form} name="filters.target" label="Target" isOptional empty="omit">
          <Input isMono placeholder="Identifier" />
        </FormField>
      </FieldRow>
    </Form>
  )
}
