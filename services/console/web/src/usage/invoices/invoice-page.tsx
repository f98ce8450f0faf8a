import { getRouteApi } from '@tanstack/react-router'
import type { Invoice, InvoiceLine } from '@wp/contracts'
import { useState } from 'react'
import { ScopedButton } from '../../session/missing-scope-notice.tsx'
import { useApiQuery, useWorkspaceId } from '../../session/workspace-context.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { formatMoney, formatNumber } from '../../ui/format/format.ts'
import { Callout, EmptyState, Unloaded } from '../../ui/message/message.tsx'
import { Card, Columns, Page, Stack, UnloadedPage } from '../../ui/page/page.tsx'
import { type Column, DataTable } from '../../ui/table/data-table.tsx'
import { DownloadButton } from '../../ui/values/download-button.tsx'
import { Badge, DefinitionList, Id, SafeLink, StatusBadge, Time } from '../../ui/values/values.tsx'
import { PeriodText } from '../period-text.tsx'
import styles from '../usage.module.css'
import { DetailsList } from './billing-details-card.tsx'

const route = getRouteApi('/$workspaceId/usage/invoices/$invoiceId')

/** One invoice with its lines. */
export function InvoicePage() {
  const { invoiceId } = route.useParams()
  const [isPaying, setPaying] = useState(false)
  const { data, error, refetch } = useApiQuery(['usage', 'invoices', invoiceId], (api, options) =>
    api.billing.getInvoice({ params: { id: invoiceId } }, options),
  )
  const parent = { label: 'Invoices', link: { to: '/$workspaceId/usage/invoices' } } as const
  if (data === undefined)
    return <UnloadedPage title="Invoice" parent={parent} error={error} refetch={refetch} height="20rem" />
  return (
    <Page
      title={data.number === null ? 'Draft invoice' : `Invoice ${data.number}`}
      status={<StatusBadge status={data.status} />}
      parent={parent}
      actions={
        <>
          <PdfButton invoice={data} />
          {data.status === 'open' && (
            <ScopedButton scope="billing:write" variant="primary" onClick={() => setPaying(true)}>
              Pay invoice
            </ScopedButton>
          )}
        </>
      }
    >
      {data.status === 'draft' && (
        <Callout title="This is a draft">It is calculated from the use so far, and issued after the period.</Callout>
      )}
      <Card title="Lines" isFlush>
        <InvoiceLines invoice={data} />
      </Card>
      <Columns>
        <Card title="Dates">
          <Dates invoice={data} />
        </Card>
        <Card title="Customer">
          <DetailsList details={data.customer} />
        </Card>
        <Card title="Seller">
          <DefinitionList
            items={[
              ['Name', data.seller.name],
              data.seller.address !== null && [
                'Address',
                <span key="address" className={styles.address}>
                  {data.seller.address}
                </span>,
              ],
              data.seller.tax_id !== null && ['Tax id', data.seller.tax_id],
            ]}
          />
        </Card>
      </Columns>
      {isPaying && <PaymentDialog invoiceId={invoiceId} onClose={() => setPaying(false)} />}
    </Page>
  )
}

const Dates = ({ invoice }: { invoice: Invoice }) => (
  <DefinitionList
    items={[
      ['Period', <PeriodText key="period" start={invoice.period_start} end={invoice.period_end} />],
      ['Issued', <Time key="issued" value={invoice.issued_at} format="absolute" />],
      ['Due', <Time key="due" value={invoice.due_at} format="absolute" />],
      invoice.paid_at !== null && ['Paid', <Time key="paid" value={invoice.paid_at} format="absolute" />],
      invoice.voided_at !== null && ['Voided', <Time key="voided" value={invoice.voided_at} format="absolute" />],
      ['Id', <Id key="id" value={invoice.id} />],
    ]}
  />
)

const PdfButton = ({ invoice: { id, number } }: { invoice: Invoice }) => (
  <DownloadButton
    workspaceId={useWorkspaceId()}
    path={`/v1/billing/invoices/${encodeURIComponent(id)}/pdf`}
    fileName={`invoice-${number ?? 'draft'}.pdf`}
  >
    Download PDF
  </DownloadButton>
)

/** Starts the payment of an invoice and says how to pay. Started again, the invoice is still paid once. */
function PaymentDialog({ invoiceId, onClose }: { invoiceId: string; onClose: () => void }) {
  const { data, error, refetch } = useApiQuery(
    ['usage', 'payments', invoiceId],
    (api, options) => api.billing.startPayment({ params: { id: invoiceId } }, options),
    { staleTime: Number.POSITIVE_INFINITY, gcTime: 0, retry: false },
  )
  return (
    <Dialog isOpen onClose={onClose} title="Pay the invoice">
      {error || data === undefined ? (
        <Unloaded error={error} refetch={refetch} height="4rem" />
      ) : (
        <Stack>
          <p>{data.instructions}</p>
          {data.url !== null && (
            <p>
              <SafeLink address={data.url}>Open the payment page</SafeLink>
              {data.expires_at !== null && (
                <>
                  , which expires <Time value={data.expires_at} />
                </>
              )}
              .
            </p>
          )}
        </Stack>
      )}
    </Dialog>
  )
}

type Row = InvoiceLine & { key: string }

const columnsFor = (currency: string): readonly Column<Row>[] => [
  { header: 'Description', cell: ({ description }) => description },
  { header: 'Kind', cell: ({ kind }) => <Badge>{kind}</Badge> },
  {
    header: 'Period',
    cell: ({ period_start: start, period_end: end }) => <PeriodText start={start} end={end} />,
  },
  { header: 'Quantity', cell: ({ quantity }) => formatNumber(quantity), align: 'end' },
  { header: 'Price', cell: ({ unit_price_minor }) => formatMoney(unit_price_minor, currency), align: 'end' },
  { header: 'Amount', cell: ({ amount_minor }) => formatMoney(amount_minor, currency), align: 'end' },
]

/** The lines of an invoice and its totals. */
function InvoiceLines({ invoice }: { invoice: Invoice }) {
  const { lines, currency, subtotal_minor: subtotal, tax_rate: rate, tax_minor: tax, total_minor: total } = invoice
  return (
    <>
      <DataTable
        label="Lines"
        columns={columnsFor(currency)}
        rows={lines.map((line, index) => ({ ...line, key: String(index) }))}
        rowKey={({ key }) => key}
        empty={
          <EmptyState icon="card" title="No lines">
            Nothing is charged.
          </EmptyState>
        }
      />
      <dl className={styles.totals}>
        <dt>Subtotal</dt>
        <dd>{formatMoney(subtotal, currency)}</dd>
        <dt>Tax, {rate} %</dt>
        <dd>{formatMoney(tax, currency)}</dd>
        <dt data-final="true">Total</dt>
        <dd data-final="true">{formatMoney(total, currency)}</dd>
      </dl>
    </>
  )
}
