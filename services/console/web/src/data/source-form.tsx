import { useMemo } from 'react'
import { useApiQuery } from '../session/workspace-context.tsx'
import { Link } from '../ui/button/button-link.tsx'
import { Checkbox, Input, Select } from '../ui/form/controls.tsx'
import { Field } from '../ui/form/field.tsx'
import { isolate } from '../ui/format/untrusted-text.ts'
import { Card } from '../ui/page/page.tsx'
import { ScheduleEditor } from '../ui/schedule/schedule-editor.tsx'
import type { Schedule } from '../ui/schedule/schedule-text.ts'
import type { FieldErrors } from '../ui/schema-form/json-schema.ts'
import formStyles from '../ui/schema-form/schema-form.module.css'
import { SchemaForm } from '../ui/schema-form/schema-form.tsx'
import { providerWords, type SourceProvider } from './shared/source-words.ts'
import { configSchemaOf } from './source-schema.ts'

/** The fields of a source that a person edits. */
export interface SourceDraft {
  name: string
  integration_id: string | null
  config: Record<string, unknown>
  sync_mode: 'full' | 'incremental'
  embed: boolean
  schedule: Schedule
}

interface SourceFieldsProps {
  provider: SourceProvider
  draft: SourceDraft
  onChange: (draft: SourceDraft) => void
  errors: FieldErrors
}

/** The fields of a source of any provider, in cards. */
export function SourceFields({ provider, draft, onChange, errors }: SourceFieldsProps) {
  const hasWholeFormat = typeof draft.config.format === 'object'
  const { schema, first } = useMemo(() => configSchemaOf(provider, hasWholeFormat), [provider, hasWholeFormat])
  const set = (part: Partial<SourceDraft>) => onChange({ ...draft, ...part })
  return (
    <>
      <Card title="Source">
        <div className={formStyles.fields}>
          <Field label="Name" error={errors.get('/name')}>
            <Input value={draft.name} onChange={(event) => set({ name: event.target.value })} autoComplete="off" />
          </Field>
          {provider !== 'upload' && (
            <IntegrationField
              provider={provider}
              value={draft.integration_id}
              onChange={(integration_id) => set({ integration_id })}
              error={errors.get('/integration_id')}
            />
          )}
          <SchemaForm
            key={provider}
            schema={schema}
            first={first}
            value={draft.config}
            onChange={(config) => set({ config })}
            pointer="/config"
            errors={errors}
          />
        </div>
      </Card>
      <Card title={provider === 'upload' ? 'Search' : 'Syncs and search'}>
        <div className={formStyles.fields}>
          {provider !== 'upload' && (
            <>
              <Field
                label="What a sync reads"
                hint="Reading everything also deletes records that the source no longer has."
                error={errors.get('/sync_mode')}
              >
                <Select
                  value={draft.sync_mode}
                  onChange={(event) => set({ sync_mode: event.target.value === 'full' ? 'full' : 'incremental' })}
                  options={[
                    { value: 'incremental', label: 'New rows, where they can be told apart' },
                    { value: 'full', label: 'Everything' },
                  ]}
                />
              </Field>
              <ScheduleEditor
                noun="syncs"
                value={draft.schedule}
                onChange={(schedule) => set({ schedule })}
                errorOf={(field) => errors.get(field === undefined ? '/schedule' : `/schedule/${field}`)}
              />
            </>
          )}
          <Checkbox
            label="Search by meaning"
            hint="Titles and texts are sent to the language model that the workspace has chosen for it."
            checked={draft.embed}
            onChange={(event) => set({ embed: event.target.checked })}
          />
        </div>
      </Card>
    </>
  )
}

function IntegrationField({
  provider,
  value,
  onChange,
  error,
}: {
  provider: Exclude<SourceProvider, 'upload'>
  value: string | null
  onChange: (integrationId: string | null) => void
  error: string | undefined
}) {
  const isOptional = provider === 'http'
  const { data, error: failure } = useApiQuery(['integrations', provider], (api, options) =>
    api.integrations.listIntegrations({ query: { provider, limit: 100 } }, options),
  )
  const options = (data?.items ?? []).map(({ integration_id, name, status }) => ({
    value: integration_id,
    label: status === 'connected' ? name : `${isolate(name)} (${status})`,
  }))
  return (
    <Field
      label="Integration"
      hint={
        <>
          {isOptional ? 'For an address that needs a credential. ' : 'Holds the address and the credential. '}
          <Link to="/$workspaceId/integrations/new" search={{ provider }}>
            Connect {providerWords[provider].label}
          </Link>
        </>
      }
      error={
        error ?? (failure ? 'The integrations cannot be listed; you may lack the scope integrations:read.' : undefined)
      }
      isOptional={isOptional}
    >
      <Select
        value={value ?? ''}
        onChange={(event) => onChange(event.target.value || null)}
        options={[{ value: '', label: isOptional ? 'None' : 'Choose an integration' }, ...options]}
      />
    </Field>
  )
}
