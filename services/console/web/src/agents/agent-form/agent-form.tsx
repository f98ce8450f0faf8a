import { useState } from 'react'
import { Checkbox, Input, Radio, Textarea } from '../../ui/form/controls.tsx'
import { FieldGroup, FieldRow } from '../../ui/form/field.tsx'
import { errorOf, Form, FormField } from '../../ui/form/form.tsx'
import type { ApiForm } from '../../ui/form/use-api-form.ts'
import { formatCount, formatNumber } from '../../ui/format/format.ts'
import { ErrorMessage } from '../../ui/message/message.tsx'
import { Card, Stack } from '../../ui/page/page.tsx'
import type { AgentValues } from '../shared/agent-values.ts'
import styles from '../shared/agents.module.css'
import { useSources } from '../shared/queries.ts'
import { ModelField } from './model-field.tsx'
import { ToolsEditor } from './tools-editor.tsx'

const maxInstructions = 20_000

/** The form of an agent or a blueprint. Blueprints have no data sources. */
export function AgentForm<Output>({
  apiForm: { form, ...state },
  submitLabel,
  hasDataSources,
  onCancel,
}: {
  apiForm: ApiForm<AgentValues, Output>
  submitLabel: string
  hasDataSources: boolean
  onCancel?: () => void
}) {
  const values = form.watch()
  const set = { shouldDirty: true, shouldValidate: form.formState.isSubmitted }
  return (
    <Form {...state} submitLabel={submitLabel} {...(onCancel && { onCancel })}>
      <Card title="About">
        <Stack>
          <FormField form={form} name="name" label="Name">
            <Input maxLength={200} autoComplete="off" />
          </FormField>
          <FormField form={form} name="description" label="Description" hint="Shown to people who choose." isOptional>
            <Input maxLength={2000} />
          </FormField>
          <FormField
            form={form}
            name="instructions"
            label="Instructions"
            hint="What it is for and how it works, told to the model before each question. The model Local does not read them."
          >
            <Textarea rows={12} maxLength={maxInstructions} />
          </FormField>
          <div className={styles.counter}>
            {formatNumber(values.instructions.length)} of {formatNumber(maxInstructions)} characters
          </div>
        </Stack>
      </Card>
      <Card title="Model">
        <Stack>
          <ModelField
            value={values.model}
            error={errorOf(form, 'model.provider') ?? errorOf(form, 'model.id')}
            onChange={({ provider, id }) => {
              form.setValue('model.provider', provider, set)
              form.setValue('model.id', id, set)
            }}
          />
          <FieldRow>
            <FormField form={form} name="model.temperature" label="Temperature" hint="0 to 2." isOptional>
              <Input inputMode="decimal" placeholder="Default of the model" />
            </FormField>
            <FormField form={form} name="model.max_output_tokens" label="Output tokens" hint="At most." isOptional>
              <Input inputMode="numeric" placeholder="Default of the model" />
            </FormField>
          </FieldRow>
        </Stack>
      </Card>
      <Card title="Abilities">
        <Stack>
          <ToolsEditor
            value={values.tools}
            error={errorOf(form, 'tools')}
            onChange={(tools) => form.setValue('tools', tools, set)}
          />
          {hasDataSources && (
            <SourcesField
              value={values.data_source_ids}
              error={errorOf(form, 'data_source_ids')}
              onChange={(ids) => form.setValue('data_source_ids', ids, set)}
            />
          )}
        </Stack>
      </Card>
      <Card title="Input">
        <FormField
          form={form}
          name="input_schema"
          label="Input schema"
          hint="A JSON Schema (2020-12) of an object that the input of a run must match. Empty for any text or object."
          isOptional
        >
          <Textarea isMono rows={6} spellCheck={false} />
        </FormField>
      </Card>
    </Form>
  )
}

/** The data sources that the tools of an agent read: all, or those that are chosen. */
function SourcesField({
  value,
  error,
  onChange,
}: {
  value: readonly string[]
  error: string | undefined
  onChange: (ids: string[]) => void
}) {
  const sources = useSources()
  const [isLimited, setLimited] = useState(value.length > 0)
  const toggle = (id: string) => onChange(value.includes(id) ? value.filter((other) => other !== id) : [...value, id])
  const unknown = value.filter((id) => sources.data?.every(({ data_source_id }) => data_source_id !== id))
  return (
    <FieldGroup label="Data sources" error={error}>
      <Radio
        name="sources"
        label="All that the caller of a run may read"
        checked={!isLimited}
        onChange={() => {
          setLimited(false)
          onChange([])
        }}
      />
      <Radio name="sources" label="Only these" checked={isLimited} onChange={() => setLimited(true)} />
      {isLimited && (
        <div className={styles.sourceChoices}>
          {sources.error && <ErrorMessage error={sources.error} onRetry={() => void sources.refetch()} />}
          {sources.data?.length === 0 && <p className="muted">There is no data source yet.</p>}
          {sources.data?.map(({ data_source_id: id, name, record_count }) => (
            <Checkbox
              key={id}
              label={name}
              hint={formatCount(record_count, 'record')}
              checked={value.includes(id)}
              onChange={() => toggle(id)}
            />
          ))}
          {unknown.map((id) => (
            <Checkbox key={id} label={<code>{id}</code>} hint="Deleted" checked onChange={() => toggle(id)} />
          ))}
        </div>
      )}
      {isLimited && value.length === 0 && <p className="muted">Choose at least one, or the assistant reads all.</p>}
    </FieldGroup>
  )
}
