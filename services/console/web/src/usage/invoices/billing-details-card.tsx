import { type BillingDetails, BillingDetailsPatch } from '@wp/contracts'
import { useApiQuery, useCan, useWorkspace } from '../../session/workspace-context.tsx'
import { Input, Textarea } from '../../ui/form/controls.tsx'
import { FieldRow } from '../../ui/form/field.tsx'
import { Form, FormField } from '../../ui/form/form.tsx'
import { useApiForm } from '../../ui/form/use-api-form.ts'
import { Unloaded } from '../../ui/message/message.tsx'
import { showSuccess } from '../../ui/message/toast.ts'
import { Card } from '../../ui/page/page.tsx'
import { DefinitionList } from '../../ui/values/values.tsx'
import styles from '../usage.module.css'

/** Whom invoices are addressed to. */
export function BillingDetailsCard() {
  const canChange = useCan()('billing:write')
  const { data, error, refetch } = useApiQuery(['usage', 'billing-details'], (api, options) =>
    api.billing.getDetails({}, options),
  )
  return (
    <Card title="Billing details" description="Whom invoices are addressed to, from the next one on.">
      {error || data === undefined ? (
        <Unloaded error={error} refetch={refetch} height="10rem" />
      ) : canChange ? (
        <DetailsForm details={data} />
      ) : (
        <DetailsList details={data} />
      )}
    </Card>
  )
}

function DetailsForm({ details: { company_name, address, vat_id, email } }: { details: BillingDetails }) {
  const { api, refresh } = useWorkspace()
  const { form, ...state } = useApiForm({
    schema: BillingDetailsPatch,
    defaultValues: { company_name, address, vat_id, email },
    onSubmit: async (body) => {
      await api.billing.updateDetails({ body })
      await refresh('usage')
      showSuccess('Saved the billing details')
    },
  })
  return (
    <Form {...state} submitLabel="Save">
      <FieldRow>
        <FormField form={form} name="company_name" label="Company" isOptional empty="null">
          <Input autoComplete="organization" />
        </FormField>
        <FormField form={form} name="vat_id" label="VAT id" isOptional empty="null">
          <Input />
        </FormField>
      </FieldRow>
      <FormField form={form} name="address" label="Postal address" isOptional empty="null">
        <Textarea rows={3} autoComplete="street-address" />
      </FormField>
      <FormField form={form} name="email" label="Email" hint="For questions about invoices." isOptional empty="null">
        <Input type="email" autoComplete="email" />
      </FormField>
    </Form>
  )
}

/** The details as text. */
export function DetailsList({ details }: { details: BillingDetails }) {
  const { company_name, address, vat_id, email } = details
  if (Object.values({ company_name, address, vat_id, email }).every((value) => !value))
    return <p>No company or address is stated. The billing details are printed on later invoices.</p>
  return (
    <DefinitionList
      items={[
        ['Company', company_name],
        [
          'Address',
          address && (
            <span key="address" className={styles.address}>
              {address}
            </span>
          ),
        ],
        ['VAT id', vat_id],
        ['Email', email],
      ]}
    />
  )
}
