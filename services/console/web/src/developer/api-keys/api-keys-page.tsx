import { getRouteApi } from '@tanstack/react-router'
import { NewApiKey } from '@wp/contracts'
import { useState } from 'react'
import type { z } from 'zod'
import { changeSearch } from '../../api/search-params.ts'
import { ScopePicker } from '../../scopes/scope-picker.tsx'
import { useApi, useApiQuery, useCan, useRefresh } from '../../session/workspace-context.tsx'
import { AreaTabs } from '../../shell/area-tabs.tsx'
import { Button, Icon } from '../../ui/button/button.tsx'
import { DateTimeInput } from '../../ui/date/date-input.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Input, Select } from '../../ui/form/controls.tsx'
import { Field, FieldRow } from '../../ui/form/field.tsx'
import { errorOf, Form, FormField } from '../../ui/form/form.tsx'
import { useApiForm } from '../../ui/form/use-api-form.ts'
import { Card, Page } from '../../ui/page/page.tsx'
import { type ApiKeySecret, ApiKeySecretDialog } from '../shared/secret-dialogs.tsx'
import { ApiKeyTable } from './api-key-table.tsx'

const route = getRouteApi('/$workspaceId/developer/keys')

/** The API keys of the workspace. */
export function ApiKeysPage() {
  const search = route.useSearch()
  const { create: isCreating = false, cursor } = search
  const navigate = route.useNavigate()
  const api = useApi()
  const can = useCan()
  const canCreate = can('auth:keys')
  const refresh = useRefresh()
  const [secret, setSecret] = useState<ApiKeySecret>()
  const page = useApiQuery(['api-keys', { cursor }], (api, options) =>
    api.auth.listApiKeys({ query: { ...(cursor !== undefined && { cursor }) } }, options),
  )
  const setCreating = (create: true | undefined) => navigate({ search: changeSearch(search, { create }) })
  const create = async (body: z.infer<typeof NewApiKey>) => {
    const created = await api.auth.createApiKey({ body })
    // First, because the dialog with the key holds navigations back.
    await setCreating(undefined)
    setSecret(created)
    await refresh('api-keys')
  }
  return (
    <Page
      title="Developer"
      description={
        can('auth:admin')
          ? 'The API keys of the workspace. A key is sent with each request, in the header x-api-key.'
          : 'The API keys that you created. A key is sent with each request, in the header x-api-key.'
      }
      actions={
        <Button
          variant="primary"
          disabled={!canCreate}
          title={canCreate ? undefined : 'Needs the scope auth:keys'}
          onClick={() => void setCreating(true)}
        >
          <Icon name="plus" size={16} />
          Create API key
        </Button>
      }
    >
      <AreaTabs area="Developer" />
      <Card isFlush>
        <ApiKeyTable page={page} cursor={cursor} {...(canCreate && { onCreate: () => void setCreating(true) })} />
      </Card>
      <Dialog
        isOpen={isCreating}
        onClose={() => void setCreating(undefined)}
        size="wide"
        title="Create an API key"
        description="The key is shown once, after it was created."
      >
        <ApiKeyForm onSubmit={create} onCancel={() => void setCreating(undefined)} />
      </Dialog>
      {secret && <ApiKeySecretDialog secret={secret} onClose={() => setSecret(undefined)} />}
    </Page>
  )
}

/** The fields of a new API key. */
function ApiKeyForm({
  onSubmit,
  onCancel,
}: {
  onSubmit: (body: z.infer<typeof NewApiKey>) => Promise<unknown>
  onCancel: () => void
}) {
  const { form, ...state } = useApiForm({
    schema: NewApiKey,
    defaultValues: { name: undefined, scopes: [], expires_at: undefined },
    onSubmit,
    fieldOfCode: { scope_escalation: 'scopes' },
  })
  return (
    <Form {...state} submitLabel="Create API key" onCancel={onCancel}>
      <FieldRow>
        <FormField form={form} name="name" label="Name" empty="omit" isOptional>
          <Input autoFocus maxLength={100} autoComplete="off" placeholder="Report export" />
        </FormField>
        <ExpiryField
          error={errorOf(form, 'expires_at')}
          onChange={(expiresAt) => form.setValue('expires_at', expiresAt)}
        />
      </FieldRow>
      <ScopePicker
        value={form.watch('scopes') ?? []}
        onChange={(scopes) => form.setValue('scopes', scopes, { shouldDirty: true, shouldValidate: true })}
        error={errorOf(form, 'scopes')}
      />
    </Form>
  )
}

const dayMs = 86_400_000

const choices = [
  { value: 'never', label: 'Never' },
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
  { value: 'custom', label: 'At another time' },
] as const

/** Chooses when a key expires. @param onChange gets RFC 3339 in UTC; undefined for never */
function ExpiryField({
  error,
  onChange,
}: {
  error: string | undefined
  onChange: (expiresAt: string | undefined) => void
}) {
  const [choice, setChoice] = useState<string>('never')
  const [expiresAt, setExpiresAt] = useState<string>()
  const choose = (value: string) => {
    setChoice(value)
    const days = Number(value)
    onChange(Number.isNaN(days) ? undefined : new Date(Date.now() + days * dayMs).toISOString())
  }
  return (
    <>
      <Field label="Expires" error={choice === 'custom' ? undefined : error}>
        <Select options={choices} value={choice} onChange={({ target }) => choose(target.value)} />
      </Field>
      {choice === 'custom' && (
        <Field label="Expires at" error={error}>
          <DateTimeInput
            value={expiresAt}
            onChange={(next) => {
              setExpiresAt(next)
              onChange(next ?? '')
            }}
          />
        </Field>
      )}
    </>
  )
}
