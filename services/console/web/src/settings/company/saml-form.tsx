import { SsoConnectionPatch } from '@wp/contracts'
import { useState } from 'react'
import { useWorkspace } from '../../session/workspace-context.tsx'
import { Input } from '../../ui/form/controls.tsx'
import { DropZone } from '../../ui/form/drop-zone.tsx'
import { FieldGroup } from '../../ui/form/field.tsx'
import { errorOf, Form, FormField } from '../../ui/form/form.tsx'
import { useApiForm } from '../../ui/form/use-api-form.ts'
import { showSuccess } from '../../ui/message/toast.ts'
import { type Connection, connectionQuery } from './queries.ts'

const schema = SsoConnectionPatch.pick({ metadata_url: true, metadata_xml: true, groups_claim: true })

/** The form that connects a SAML identity provider by its metadata, or changes its connection. */
export function SamlForm({ connection }: { connection: Connection | undefined }) {
  const { api, refresh } = useWorkspace()
  const [fileName, setFileName] = useState<string>()
  const metadataUrl = connection?.saml?.metadata_url ?? undefined
  const { form, ...state } = useApiForm({
    schema,
    defaultValues: {
      metadata_url: metadataUrl,
      metadata_xml: undefined,
      groups_claim: connection?.groups_claim ?? 'groups',
    },
    onSubmit: async ({ metadata_url, ...body }) => {
      const address = body.metadata_xml === undefined ? { metadata_url } : {}
      await api.auth.updateSsoConnection({ body: { ...body, ...address, kind: 'saml' } })
      await refresh(connectionQuery)
      showSuccess('Saved the company sign-in')
    },
  })
  return (
    <Form {...state} submitLabel={connection === undefined ? 'Connect' : 'Save changes'}>
      <FormField
        form={form}
        name="metadata_url"
        label="Address of the metadata"
        empty="omit"
        isOptional
        hint="We read it again every hour, so that new certificates of the provider are known in time."
      >
        <Input
          maxLength={500}
          inputMode="url"
          autoComplete="off"
          placeholder="https://login.example.com/federationmetadata.xml"
        />
      </FormField>
      <FieldGroup label="Or a file with the metadata" error={errorOf(form, 'metadata_xml')}>
        <DropZone
          label={fileName ?? 'No file chosen'}
          accept=".xml,application/xml,text/xml"
          isCompact
          onFiles={async ([file]) => {
            if (file === undefined) return
            form.setValue('metadata_xml', await file.text())
            form.clearErrors('metadata_xml')
            setFileName(file.name)
          }}
        />
      </FieldGroup>
      <FormField form={form} name="groups_claim" label="Attribute with the groups">
        <Input maxLength={100} autoComplete="off" />
      </FormField>
    </Form>
  )
}
