import { type DestinationType, NewEventDestination } from '@wp/contracts'
import { useState } from 'react'
import type { z } from 'zod'
import { useCan } from '../../../session/workspace-context.tsx'
import { Input, Radio, Select } from '../../../ui/form/controls.tsx'
import { Field, FieldGroup } from '../../../ui/form/field.tsx'
import { errorOf, Form, FormField } from '../../../ui/form/form.tsx'
import { useApiForm } from '../../../ui/form/use-api-form.ts'
import { Card, Stack } from '../../../ui/page/page.tsx'
import type { HeaderRow } from '../../shared/header-rows.ts'
import { EventsPicker, FilterField } from '../../subscription-form/events-picker.tsx'
import { toConfig, toTexts } from '../config-fields.ts'
import { type DestinationView, typeNames } from '../destination-words.ts'
import { ConfigControls } from './config-controls.tsx'

/** Values of the form, in the shape of a creation. */
export type DestinationValues = z.output<typeof NewEventDestination>

const typeOptions = Object.entries(typeNames).map(([value, label]) => ({ value, label }))

/** Creates or changes an event destination. @param destination the one to change; undefined to create one */
export function DestinationForm({
  destination,
  onSubmit,
  onCancel,
}: {
  destination?: DestinationView
  onSubmit: (values: DestinationValues) => Promise<unknown>
  onCancel: () => void
}) {
  const stored = destination?.config
  const [type, setType] = useState<DestinationType>(stored?.type ?? 's3')
  const [texts, setTexts] = useState(() => toTexts(type, stored))
  // Stored header fields are kept as long as none is entered: their values are not known here.
  const [headers, setHeaders] = useState<readonly HeaderRow[] | undefined>(stored === undefined ? [] : undefined)
  const { form, ...state } = useApiForm({
    schema: NewEventDestination,
    defaultValues: {
      name: destination?.name ?? '',
      content: destination?.content ?? 'events',
      events: destination?.events ?? ['*'],
      filter: destination?.filter ?? null,
      format: destination?.format ?? 'json',
      config: toConfig(type, texts, headers),
    },
    onSubmit: ({ events, filter, format, ...values }) =>
      onSubmit({
        ...values,
        ...(values.content === 'audit'
          ? { events: ['*'], filter: null, format }
          : { events, filter, format: 'json' as const }),
      }),
  })
  const [content, events, format] = form.watch(['content', 'events', 'format'])
  const options = { shouldDirty: true, shouldValidate: form.formState.isSubmitted } as const
  const setConfig = (next: { type?: DestinationType; texts?: typeof texts; headers?: typeof headers }) => {
    const [newType, newTexts] = [next.type ?? type, next.texts ?? texts]
    const newHeaders = 'headers' in next ? next.headers : headers
    setType(newType)
    setTexts(newTexts)
    setHeaders(newHeaders)
    form.setValue('config', toConfig(newType, newTexts, newHeaders), options)
  }
  return (
    <Form
      {...state}
      submitLabel={destination === undefined ? 'Create and write a test record' : 'Save changes'}
      onCancel={onCancel}
    >
      <Card title="What is written">
        <Stack>
          <FormField form={form} name="name" label="Name">
            <Input placeholder="Security archive" autoComplete="off" />
          </FormField>
          {destination === undefined && (
            <ContentField value={content} onChange={(next) => form.setValue('content', next, options)} />
          )}
          {content === 'audit' ? (
            <FormField
              form={form}
              name="format"
              label="Format"
              hint="OCSF 1.3.0 is what security products read; JSON is the record as the API shows it."
            >
              <Select
                options={[
                  { value: 'json', label: 'JSON' },
                  { value: 'ocsf', label: 'OCSF' },
                ]}
                value={format}
              />
            </FormField>
          ) : (
            <>
              <EventsPicker
                value={events ?? []}
                onChange={(next) => form.setValue('events', next, options)}
                error={errorOf(form, 'events')}
              />
              <FilterField
                initial={destination?.filter ?? null}
                // A text that is not JSON is no filter, so the schema rejects it.
                onChange={(next) => form.setValue('filter', next as DestinationValues['filter'], options)}
                errors={form.formState.errors.filter}
              />
            </>
          )}
        </Stack>
      </Card>
      <Card
        title="Where it is written"
        description={
          stored && `${typeNames[stored.type]}. The type cannot be changed: add another destination instead.`
        }
      >
        <Stack>
          {destination === undefined && (
            <Field label="Type">
              <Select
                options={typeOptions}
                value={type}
                onChange={({ target }) => {
                  const next = target.value as DestinationType // one of the options
                  setConfig({ type: next, texts: toTexts(next) })
                }}
              />
            </Field>
          )}
          <ConfigControls
            key={type}
            type={type}
            texts={texts}
            onTexts={(next) => setConfig({ texts: next })}
            stored={stored}
            headers={headers}
            onHeaders={(next) => setConfig({ headers: next })}
            errors={form.formState.errors.config}
          />
        </Stack>
      </Card>
    </Form>
  )
}

type Content = DestinationView['content']

function ContentField({ value, onChange }: { value: Content; onChange: (value: Content) => void }) {
  const canReadAudit = useCan()('audit:read')
  return (
    <FieldGroup label="Content">
      <Stack>
        <Radio
          name="content"
          label="Events"
          hint="What webhooks deliver: syncs, forecasts, recommendations and more"
          checked={value === 'events'}
          onChange={() => onChange('events')}
        />
        <Radio
          name="content"
          label="Audit log"
          hint={
            canReadAudit
              ? 'Who did what in the workspace, for your security team'
              : 'Needs the scope audit:read. Ask an administrator of the workspace'
          }
          disabled={!canReadAudit}
          checked={value === 'audit'}
          onChange={() => onChange('audit')}
        />
      </Stack>
    </FieldGroup>
  )
}
