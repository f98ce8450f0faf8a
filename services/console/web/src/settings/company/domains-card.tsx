import { useMutation } from '@tanstack/react-query'
import { authSso, type SsoDomain } from '@wp/contracts'
import { useState } from 'react'
import type { z } from 'zod'
import { useCan, useWorkspace } from '../../session/workspace-context.tsx'
import { Button } from '../../ui/button/button.tsx'
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx'
import { Input } from '../../ui/form/controls.tsx'
import { Form, FormField } from '../../ui/form/form.tsx'
import { useApiForm } from '../../ui/form/use-api-form.ts'
import { ErrorMessage } from '../../ui/message/message.tsx'
import { showSuccess } from '../../ui/message/toast.ts'
import { Card, Cluster, Stack } from '../../ui/page/page.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { Badge, DefinitionList, Id } from '../../ui/values/values.tsx'
import { domainsQuery as queryKey, useDomains } from './queries.ts'

type Domain = z.infer<typeof SsoDomain>

/** The domains of the mail addresses of the company, each proved by a DNS record. */
export function DomainsCard() {
  const { api, refresh } = useWorkspace()
  const canChange = useCan()('auth:admin')
  const [removing, setRemoving] = useState<Domain>()
  const { data, error, refetch } = useDomains()
  const unverified = data?.items.filter(({ verified_at }) => verified_at === null) ?? []
  return (
    <Card title="Domains" description="Only addresses of these domains can sign in with the account of the company.">
      <Stack>
        <DataTable
          label="Domains"
          columns={[
            { header: 'Domain', cell: ({ domain }) => domain },
            {
              header: 'Status',
              cell: ({ verified_at }) =>
                verified_at === null ? (
                  <Badge tone="warning">Not verified</Badge>
                ) : (
                  <Badge tone="success">Verified</Badge>
                ),
            },
            {
              header: '',
              align: 'end',
              cell: (row) => canChange && <Button onClick={() => setRemoving(row)}>Remove</Button>,
            },
          ]}
          rows={data?.items}
          rowKey={({ domain }) => domain}
          error={error}
          onRetry={() => void refetch()}
          empty={<p>No domain yet. Add the part of your mail addresses after the @.</p>}
        />
        {canChange && unverified.map((row) => <DomainProof key={row.domain} row={row} />)}
        {canChange && <NewDomain />}
      </Stack>
      <ConfirmDialog
        isOpen={removing !== undefined}
        onClose={() => setRemoving(undefined)}
        title={`Remove ${removing?.domain ?? ''}`}
        confirmLabel="Remove domain"
        onConfirm={async () => {
          await api.auth.deleteSsoDomain({ params: { domain: removing?.domain ?? '' } })
          await refresh(queryKey)
          setRemoving(undefined)
        }}
      >
        Members with addresses of this domain can no longer sign in with the account of the company.
      </ConfirmDialog>
    </Card>
  )
}

/** The DNS record that proves a domain, and the check. */
function DomainProof({ row: { domain, txt_name: name, txt_value: value } }: { row: Domain }) {
  const { api, refresh } = useWorkspace()
  const verify = useMutation({
    mutationFn: async () => {
      await api.auth.verifySsoDomain({ params: { domain } })
      await refresh(queryKey)
      showSuccess(`Verified ${domain}`)
    },
  })
  return (
    <Stack>
      <p>To verify {domain}, create this DNS record. It can take an hour until it is visible.</p>
      <DefinitionList
        items={[
          ['Type', 'TXT'],
          ['Name', <Id key="name" value={name} label="Copy name" />],
          ['Value', <Id key="value" value={value} label="Copy value" />],
        ]}
      />
      {verify.error && <ErrorMessage error={verify.error} />}
      <Cluster>
        <Button onClick={() => verify.mutate()} disabled={verify.isPending}>
          Verify {domain}
        </Button>
      </Cluster>
    </Stack>
  )
}

function NewDomain() {
  const { api, refresh } = useWorkspace()
  const { form, reset, ...state } = useApiForm({
    schema: authSso.createSsoDomain.body,
    defaultValues: { domain: '' },
    onSubmit: async (body) => {
      await api.auth.createSsoDomain({ body })
      await refresh(queryKey)
      reset({ domain: '' })
    },
  })
  return (
    <Form {...state} submitLabel="Add domain">
      <FormField form={form} name="domain" label="Domain">
        <Input maxLength={253} autoComplete="off" placeholder="example.com" />
      </FormField>
    </Form>
  )
}
